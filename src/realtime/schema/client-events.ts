import { z } from 'zod'
import type { Vocabulary } from '../vocabulary.ts'
import { itemSchema } from './item-schema.ts'
import { responseSchema } from './response-schema.ts'
import { sessionSchema } from './session-schema.ts'
import { base64, integer, limitedText } from './values.ts'

const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), event_id: limitedText(512).nullish(), ...shape })

const itemId = z.string()

/** Every event a client may send, by its type. Made for one vocabulary, once per service. */
export const createClientEvents = (vocabulary: Vocabulary) => ({
  'session.update': event('session.update', { session: sessionSchema(vocabulary) }),
  'input_audio_buffer.append': event('input_audio_buffer.append', { audio: base64() }),
  'input_audio_buffer.commit': event('input_audio_buffer.commit', {}),
  'input_audio_buffer.clear': event('input_audio_buffer.clear', {}),
  'conversation.item.create': event('conversation.item.create', {
    previous_item_id: z.string().nullish(),
    item: itemSchema,
  }),
  'conversation.item.retrieve': event('conversation.item.retrieve', { item_id: itemId }),
  'conversation.item.truncate': event('conversation.item.truncate', {
    item_id: itemId,
    content_index: integer(0),
    audio_end_ms: integer(0),
  }),
  'conversation.item.delete': event('conversation.item.delete', { item_id: itemId }),
  'response.create': event('response.create', { response: responseSchema(vocabulary).nullish() }),
  'response.cancel': event('response.cancel', { response_id: z.string().nullish() }),
  'output_audio_buffer.clear': event('output_audio_buffer.clear', {}),
  'transcription_session.update': event('transcription_session.update', { session: z.unknown() }),
})

export type ClientEvents = ReturnType<typeof createClientEvents>
export type ClientEventType = keyof ClientEvents
export type ClientEvent = { [T in ClientEventType]: z.infer<ClientEvents[T]> }[ClientEventType]
export type ClientEventOf<T extends ClientEventType> = Extract<ClientEvent, { type: T }>
