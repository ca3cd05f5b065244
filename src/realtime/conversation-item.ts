import { newProtocolId } from './protocol-id.ts'
import type { ItemInput } from './schema/item-schema.ts'
import type { AudioFormat } from './session-config.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** Which words had been spoken when; for cutting a transcript where the listener stopped hearing. */
export type SpokenMark = { readonly text: string; readonly endMs: number }

export type TextPart = { readonly kind: 'text'; text: string }
export type AudioPart = {
  readonly kind: 'audio'
  readonly format: AudioFormat
  /** Null until it is known what was said. */
  transcript: string | null
  durationMs: number
  /** Null once it is forgotten: a session keeps only its latest sound. */
  audio: Uint8Array[] | null
  readonly marks: SpokenMark[]
  /** Truncated by the client: what is still to come was not heard either. */
  isCut: boolean
}
export type Part = TextPart | AudioPart

type Common = { readonly id: string; status: ItemStatus }
export type MessageItem = Common & {
  readonly kind: 'message'
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: Part[]
  /** What language the caller was heard to speak. */
  language?: string
}
export type CallItem = Common & {
  readonly kind: 'call'
  readonly name: string
  readonly callId: string
  argumentsJson: string
}
export type ResultItem = Common & { readonly kind: 'result'; readonly callId: string; readonly output: string }

/** What a conversation consists of. Its owner changes it; everybody else reads. */
export type Item = MessageItem | CallItem | ResultItem

export const newMessage = (
  role: MessageItem['role'],
  content: Part[],
  { id = newProtocolId('item'), status = 'completed' }: { id?: string; status?: ItemStatus } = {},
): MessageItem => ({ kind: 'message', id, status, role, content })

export const newAudioPart = (format: AudioFormat, audio: Uint8Array[], durationMs: number): AudioPart => ({
  kind: 'audio',
  format,
  transcript: null,
  durationMs,
  audio,
  marks: [],
  isCut: false,
})

export type FromInput = { readonly inputFormat: AudioFormat; readonly durationOf: (bytes: number) => number }

/** An item as a client sent it. */
export function itemOf(input: ItemInput, { inputFormat, durationOf }: FromInput): Item {
  const id = input.id || newProtocolId('item')
  const status = input.status === 'incomplete' ? 'incomplete' : 'completed'
  switch (input.type) {
    case 'function_call':
      return { kind: 'call', id, status, name: input.name, callId: input.call_id, argumentsJson: input.arguments }
    case 'function_call_output':
      return { kind: 'result', id, status, callId: input.call_id, output: input.output }
    case 'message':
      return newMessage(
        input.role,
        input.content.map((part) => {
          if (part.type !== 'input_audio') return { kind: 'text', text: part.text }
          const audio = newAudioPart(inputFormat, [part.audio], durationOf(part.audio.length))
          return { ...audio, transcript: part.transcript ?? null }
        }),
        { id, status },
      )
  }
}
