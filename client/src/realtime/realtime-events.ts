/** A tool as the service is told of it; `parameters` is a JSON Schema of an object. */
export type ToolDefinition = {
  readonly name: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

export type TurnDetection = {
  readonly type: 'server_vad'
  readonly threshold?: number
  readonly prefix_padding_ms?: number
  readonly silence_duration_ms?: number
  readonly create_response?: boolean
  readonly interrupt_response?: boolean
}

type AudioFormat = { readonly type: 'audio/pcm'; readonly rate: 24_000 }

/** What may be set of a session; everything left out stays as it is. */
export type SessionConfig = {
  readonly instructions?: string
  readonly output_modalities?: readonly ['audio'] | readonly ['text']
  readonly tool_choice?: 'auto' | 'none' | 'required' | { readonly type: 'function'; readonly name: string }
  readonly max_output_tokens?: number | 'inf'
  readonly audio?: {
    readonly input?: {
      readonly format?: AudioFormat
      readonly transcription?: { readonly model?: string; readonly language?: string } | null
      /** `null`: the client says itself where a turn ends. */
      readonly turn_detection?: TurnDetection | null
    }
    readonly output?: { readonly format?: AudioFormat; readonly voice?: string; readonly speed?: number }
  }
}

export type Session = SessionConfig & { readonly id: string; readonly model?: string; readonly expires_at?: number }

export type ResponseConfig = {
  readonly instructions?: string
  readonly output_modalities?: readonly ['audio'] | readonly ['text']
  readonly conversation?: 'auto' | 'none'
  readonly metadata?: Readonly<Record<string, string>>
}

/** A content part as it comes; which members it has depends on its type. */
export type ContentPart = { readonly type: string; readonly text?: string; readonly transcript?: string | null }

export type ServerItem = {
  readonly id: string
  readonly type: string
  readonly status?: 'in_progress' | 'completed' | 'incomplete'
  readonly role?: 'user' | 'assistant' | 'system'
  readonly content?: readonly ContentPart[]
  readonly name?: string
  readonly call_id?: string
  readonly arguments?: string
  readonly output?: string
}

export type ServerResponse = {
  readonly id: string
  readonly status: 'in_progress' | 'completed' | 'cancelled' | 'incomplete' | 'failed'
  readonly status_details?: { readonly error?: { readonly code?: string; readonly message?: string } } | null
  readonly output?: readonly ServerItem[]
}

export type Fault = {
  readonly type: string
  readonly code: string | null
  readonly message: string
  readonly param?: string | null
  /** The event of ours that it is about. */
  readonly event_id?: string | null
}

type OfItem = { readonly item_id: string }
type OfPart = OfItem & { readonly response_id: string; readonly content_index: number }

type Known =
  | { readonly type: 'session.created' | 'session.updated'; readonly session: Session }
  | { readonly type: 'error'; readonly error: Fault }
  | {
      readonly type: 'conversation.item.added' | 'conversation.item.done'
      readonly previous_item_id?: string | null
      readonly item: ServerItem
    }
  | ({ readonly type: 'conversation.item.deleted' } & OfItem)
  | ({ readonly type: 'conversation.item.truncated'; readonly audio_end_ms: number } & OfItem)
  | ({ readonly type: 'conversation.item.input_audio_transcription.delta'; readonly delta: string } & OfItem)
  | ({ readonly type: 'conversation.item.input_audio_transcription.completed'; readonly transcript: string } & OfItem)
  | ({ readonly type: 'input_audio_buffer.speech_started'; readonly audio_start_ms: number } & OfItem)
  | ({ readonly type: 'input_audio_buffer.speech_stopped'; readonly audio_end_ms: number } & OfItem)
  | ({ readonly type: 'input_audio_buffer.committed' } & OfItem)
  | { readonly type: 'response.created' | 'response.done'; readonly response: ServerResponse }
  | {
      readonly type: 'response.output_item.added' | 'response.output_item.done'
      readonly response_id: string
      readonly item: ServerItem
    }
  | ({ readonly type: 'response.output_text.delta'; readonly delta: string } & OfPart)
  | ({ readonly type: 'response.output_audio_transcript.delta'; readonly delta: string } & OfPart)
  | ({ readonly type: 'response.output_audio.delta'; readonly delta: string } & OfPart)
  | ({ readonly type: 'response.function_call_arguments.delta'; readonly delta: string } & OfItem)

/** Events this client acts on; others pass to the program as they are. */
export type ServerEvent = Known & { readonly event_id?: string }
export type AnyEvent = { readonly type: string; readonly event_id?: string; readonly [member: string]: unknown }
