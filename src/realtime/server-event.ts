import type { Item } from './conversation-item.ts'
import type { SessionConfig } from './session-config.ts'

export type SessionView = {
  readonly id: string
  readonly expiresAt: number
  readonly config: SessionConfig
}

export type Usage = {
  readonly inputTokens: number
  readonly textTokens: number
  readonly audioTokens: number
}

export type ResponseStatus =
  | { readonly status: 'in_progress' | 'completed' }
  | { readonly status: 'cancelled'; readonly reason: 'turn_detected' | 'client_cancelled' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly error: { type: string; code: string; message: string } }

export type ResponseView = {
  readonly id: string
  readonly status: ResponseStatus
  readonly output: readonly Item[]
  readonly conversationId: string | null
  readonly config: SessionConfig
  readonly usage: Usage | null
  readonly metadata: Readonly<Record<string, string>> | null
}

export type ErrorView = {
  readonly type: string
  readonly code: string | null
  readonly message: string
  readonly param: string | null
}

export type RateLimit = {
  readonly name: 'requests' | 'tokens'
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** A place inside a response: every event about a part names all of it. */
export type Place = {
  readonly responseId: string
  readonly itemId: string
  readonly outputIndex: number
}

export type PartView = { readonly kind: 'text' | 'audio'; readonly text: string }

/** What happens in a session, in neither dialect's words; `render-event.ts` says it in one of them. */
export type ServerEvent =
  | { readonly kind: 'session.created' | 'session.updated'; readonly session: SessionView }
  | { readonly kind: 'error'; readonly error: ErrorView; readonly eventId: string | null }
  /** `isDone`: it came whole, by a client or a commit. A generated item follows up with `item.done`. */
  | {
      readonly kind: 'item.added'
      readonly previousItemId: string | null
      readonly item: Item
      readonly isDone: boolean
    }
  | { readonly kind: 'item.done'; readonly previousItemId: string | null; readonly item: Item }
  | { readonly kind: 'item.retrieved'; readonly item: Item }
  | {
      readonly kind: 'item.truncated'
      readonly itemId: string
      readonly contentIndex: number
      readonly audioEndMs: number
    }
  | { readonly kind: 'item.deleted'; readonly itemId: string }
  | {
      readonly kind: 'transcription.delta'
      readonly itemId: string
      readonly contentIndex: number
      readonly delta: string
    }
  | {
      readonly kind: 'transcription.completed'
      readonly itemId: string
      readonly contentIndex: number
      readonly transcript: string
      readonly durationMs: number
    }
  | {
      readonly kind: 'transcription.failed'
      readonly itemId: string
      readonly contentIndex: number
      readonly error: ErrorView
    }
  | { readonly kind: 'buffer.committed'; readonly previousItemId: string | null; readonly itemId: string }
  | { readonly kind: 'buffer.cleared' }
  | { readonly kind: 'speech.started'; readonly audioStartMs: number; readonly itemId: string }
  | { readonly kind: 'speech.stopped'; readonly audioEndMs: number; readonly itemId: string }
  | {
      readonly kind: 'idle.timeout'
      readonly audioStartMs: number
      readonly audioEndMs: number
      readonly itemId: string
    }
  | { readonly kind: 'response.created' | 'response.done'; readonly response: ResponseView }
  | {
      readonly kind: 'output_item.added' | 'output_item.done'
      readonly responseId: string
      readonly outputIndex: number
      readonly item: Item
    }
  | ({ readonly kind: 'part.added' | 'part.done'; readonly part: PartView } & Place)
  | ({ readonly kind: 'text.delta' | 'transcript.delta'; readonly delta: string } & Place)
  | ({ readonly kind: 'text.done' | 'transcript.done'; readonly text: string } & Place)
  | ({ readonly kind: 'audio.delta'; readonly audio: Uint8Array } & Place)
  | ({ readonly kind: 'audio.done' } & Place)
  | ({ readonly kind: 'arguments.delta'; readonly callId: string; readonly delta: string } & Place)
  | ({
      readonly kind: 'arguments.done'
      readonly callId: string
      readonly name: string
      readonly argumentsJson: string
    } & Place)
  | { readonly kind: 'rate_limits'; readonly limits: readonly RateLimit[] }

type WithKind<E extends ServerEvent, K> = E extends ServerEvent ? (K extends E['kind'] ? E : never) : never
export type ServerEventOf<K extends ServerEvent['kind']> = WithKind<ServerEvent, K>
export type Emit = (event: ServerEvent) => void
