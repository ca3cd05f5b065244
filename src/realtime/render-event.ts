import type { Dialect } from './apply-session.ts'
import { renderItem, renderResponse, renderSession, type Wire } from './render-objects.ts'
import type { PartView, Place, ServerEvent, ServerEventOf } from './server-event.ts'

/** How the connection speaks; `isSure` is false until the client has shown which dialect it means. */
export type Manner = { readonly dialect: Dialect; readonly isSure: boolean }

type Renderers = { readonly [K in ServerEvent['kind']]: (event: ServerEventOf<K>, manner: Manner) => readonly Wire[] }

/** Total: an event without words does not compile. Never both names of one event: clients would play audio twice. */
const RENDERERS: Renderers = {
  'session.created': ({ kind, session }, { dialect, isSure }) => [
    { type: kind, session: renderSession(session, isSure ? dialect : 'both') },
  ],
  'session.updated': ({ kind, session }, { dialect }) => [{ type: kind, session: renderSession(session, dialect) }],
  error: ({ error, eventId }) => [{ type: 'error', error: { ...error, event_id: eventId } }],
  'item.added': ({ previousItemId, item, isDone }, { dialect }) => {
    const body = { previous_item_id: previousItemId, item: renderItem(item, dialect) }
    if (dialect === 'beta') return [{ type: 'conversation.item.created', ...body }]
    const added = { type: 'conversation.item.added', ...body }
    return isDone ? [added, { type: 'conversation.item.done', ...body }] : [added]
  },
  'item.done': ({ previousItemId, item }, { dialect }) =>
    dialect === 'beta'
      ? []
      : [{ type: 'conversation.item.done', previous_item_id: previousItemId, item: renderItem(item, dialect) }],
  'item.retrieved': ({ item }, { dialect }) => [
    { type: 'conversation.item.retrieved', item: renderItem(item, dialect, true) },
  ],
  'item.truncated': ({ itemId, contentIndex, audioEndMs }) => [
    { type: 'conversation.item.truncated', item_id: itemId, content_index: contentIndex, audio_end_ms: audioEndMs },
  ],
  'item.deleted': ({ itemId }) => [{ type: 'conversation.item.deleted', item_id: itemId }],
  'transcription.delta': ({ delta, ...place }) => [transcription('delta', place, { delta })],
  'transcription.completed': ({ transcript, durationMs, ...place }) => [
    transcription('completed', place, { transcript, usage: transcriptionUsage(transcript, durationMs) }),
  ],
  'transcription.failed': ({ error, ...place }) => [transcription('failed', place, { error })],
  'buffer.committed': ({ previousItemId, itemId }) => [
    { type: 'input_audio_buffer.committed', previous_item_id: previousItemId, item_id: itemId },
  ],
  'buffer.cleared': () => [{ type: 'input_audio_buffer.cleared' }],
  'speech.started': ({ audioStartMs, itemId }) => [
    { type: 'input_audio_buffer.speech_started', audio_start_ms: audioStartMs, item_id: itemId },
  ],
  'speech.stopped': ({ audioEndMs, itemId }) => [
    { type: 'input_audio_buffer.speech_stopped', audio_end_ms: audioEndMs, item_id: itemId },
  ],
  'idle.timeout': ({ audioStartMs, audioEndMs, itemId }) => [
    {
      type: 'input_audio_buffer.timeout_triggered',
      audio_start_ms: audioStartMs,
      audio_end_ms: audioEndMs,
      item_id: itemId,
    },
  ],
  'response.created': ({ kind, response }, { dialect }) => [
    { type: kind, response: renderResponse(response, dialect) },
  ],
  'response.done': ({ kind, response }, { dialect }) => [{ type: kind, response: renderResponse(response, dialect) }],
  'output_item.added': (event, { dialect }) => [outputItem('added', event, dialect)],
  'output_item.done': (event, { dialect }) => [outputItem('done', event, dialect)],
  'part.added': ({ part, ...place }) => [inPart('response.content_part.added', place, { part: renderPart(part) })],
  'part.done': ({ part, ...place }) => [inPart('response.content_part.done', place, { part: renderPart(part) })],
  'text.delta': ({ delta, ...place }, manner) => [inPart(outputName('text.delta', manner), place, { delta })],
  'text.done': ({ text, ...place }, manner) => [inPart(outputName('text.done', manner), place, { text })],
  'transcript.delta': ({ delta, ...place }, manner) => [
    inPart(outputName('audio_transcript.delta', manner), place, { delta }),
  ],
  'transcript.done': ({ text, ...place }, manner) => [
    inPart(outputName('audio_transcript.done', manner), place, { transcript: text }),
  ],
  'audio.delta': ({ audio, ...place }, manner) => [
    inPart(outputName('audio.delta', manner), place, { delta: Buffer.from(audio).toString('base64') }),
  ],
  'audio.done': (place, manner) => [inPart(outputName('audio.done', manner), place, {})],
  'arguments.delta': ({ callId, delta, ...place }) => [
    { type: 'response.function_call_arguments.delta', ...placeOf(place), call_id: callId, delta },
  ],
  'arguments.done': ({ callId, name, argumentsJson, ...place }) => [
    {
      type: 'response.function_call_arguments.done',
      ...placeOf(place),
      call_id: callId,
      name,
      arguments: argumentsJson,
    },
  ],
  rate_limits: ({ limits }) => [
    {
      type: 'rate_limits.updated',
      rate_limits: limits.map(({ resetSeconds, ...rest }) => ({ ...rest, reset_seconds: resetSeconds })),
    },
  ],
}

export function renderEvent<K extends ServerEvent['kind']>(event: ServerEventOf<K>, manner: Manner): readonly Wire[] {
  // The key and the event are of one kind, which the compiler cannot see through the union.
  const render = RENDERERS[event.kind] as (event: ServerEventOf<K>, manner: Manner) => readonly Wire[]
  return render(event, manner)
}

const outputName = (name: string, { dialect }: Manner): string =>
  dialect === 'beta' ? `response.${name}` : `response.output_${name}`

const placeOf = ({ responseId, itemId, outputIndex }: Place): Wire => ({
  response_id: responseId,
  item_id: itemId,
  output_index: outputIndex,
})

/** Generated messages have one part, so its index is always 0. */
const inPart = (type: string, place: Place, rest: Wire): Wire => ({
  type,
  ...placeOf(place),
  content_index: 0,
  ...rest,
})

const renderPart = ({ kind, text }: PartView): Wire =>
  kind === 'text' ? { type: 'text', text } : { type: 'audio', transcript: text }

const outputItem = (
  what: 'added' | 'done',
  {
    responseId,
    outputIndex,
    item,
  }: { responseId: string; outputIndex: number; item: ServerEventOf<'item.done'>['item'] },
  dialect: Dialect,
): Wire => ({
  type: `response.output_item.${what}`,
  response_id: responseId,
  output_index: outputIndex,
  item: renderItem(item, dialect),
})

const transcription = (what: string, place: { itemId: string; contentIndex: number }, rest: Wire): Wire => ({
  type: `conversation.item.input_audio_transcription.${what}`,
  item_id: place.itemId,
  content_index: place.contentIndex,
  ...rest,
})

/** The form by tokens, whole: an older stock client drops the event with any other. Counted as the reference service does. */
function transcriptionUsage(transcript: string, durationMs: number): Wire {
  const audioTokens = Math.ceil(durationMs / 100)
  const outputTokens = Math.ceil(transcript.length / 4)
  return {
    type: 'tokens',
    total_tokens: audioTokens + outputTokens,
    input_tokens: audioTokens,
    input_token_details: { text_tokens: 0, audio_tokens: audioTokens },
    output_tokens: outputTokens,
  }
}
