import { applySession, type Dialect } from './apply-session.ts'
import { bytesUpTo, durationMsOf } from './audio-format.ts'
import { truncateAudio } from './conversation.ts'
import { type Item, itemOf } from './conversation-item.ts'
import { ProtocolError } from './protocol-error.ts'
import type { ClientEventOf, ClientEventType } from './schema/client-events.ts'
import type { SessionInput } from './schema/session-schema.ts'
import type { SessionState } from './session-state.ts'

/** Total: a client event without a handler does not compile. What a handler throws as `ProtocolError` becomes an `error`. */
export const HANDLERS: {
  readonly [T in ClientEventType]: (state: SessionState, event: ClientEventOf<T>) => void | Promise<void>
} = {
  'session.update': updateSession,
  'input_audio_buffer.append': ({ turns }, { audio }) => turns.append(audio),
  'input_audio_buffer.commit': ({ turns }) => turns.commit(),
  'input_audio_buffer.clear': ({ turns, emit }) => {
    turns.clear()
    emit({ kind: 'buffer.cleared' })
  },
  'conversation.item.create': createItem,
  'conversation.item.retrieve': ({ conversation, emit }, { item_id }) => {
    const item = conversation.get(item_id) ?? unknownItem('retrieve', item_id)
    emit({ kind: 'item.retrieved', item })
  },
  'conversation.item.truncate': truncateItem,
  'conversation.item.delete': ({ conversation, emit }, { item_id }) => {
    if (!conversation.remove(item_id)) unknownItem('delete', item_id)
    emit({ kind: 'item.deleted', itemId: item_id })
  },
  'response.create': ({ responses, config, manner: { dialect }, hasSpoken }, { response }) =>
    responses.create(response ?? {}, { config, dialect, hasSpoken }),
  'response.cancel': ({ responses }, { response_id }) => responses.cancel(response_id),
  'output_audio_buffer.clear': () => refuseType('output_audio_buffer.clear is for WebRTC: the sound is in your hands.'),
  'transcription_session.update': () => refuseType('This is no transcription session: send session.update.'),
}

function refuseType(message: string): never {
  throw new ProtocolError('invalid_value', message, { param: 'type' })
}

function unknownItem(what: 'retrieve' | 'delete' | 'truncate', id: string): never {
  throw new ProtocolError(`item_${what}_invalid_item_id`, `Item ${what} failed: there is no item "${id}".`)
}

function updateSession(state: SessionState, { session }: ClientEventOf<'session.update'>): void {
  const { vocabulary, hasSpoken } = state
  const dialect = state.manner.isSure ? state.manner.dialect : sniffDialect(session)
  const config = applySession(state.config, session, { dialect, vocabulary, hasSpoken })
  state.manner = { dialect, isSure: true }
  state.config = config
  state.turns.configure(config)
  state.emit({ kind: 'session.updated', session: state.view() })
}

const FLAT_MEMBERS = [
  ...['modalities', 'voice', 'input_audio_format', 'output_audio_format', 'input_audio_transcription', 'speed'],
  ...['input_audio_noise_reduction', 'turn_detection', 'temperature', 'max_response_output_tokens'],
] as const satisfies readonly (keyof SessionInput)[]

/** A client that says nothing of a dialect and updates flat members without a type speaks beta. */
const sniffDialect = (session: SessionInput): Dialect =>
  session.type === undefined && FLAT_MEMBERS.some((member) => session[member] !== undefined) ? 'beta' : 'ga'

function createItem(state: SessionState, event: ClientEventOf<'conversation.item.create'>): void {
  const { conversation, emit, transcripts, maxKeptBytes } = state
  const { inputFormat, transcription } = state.config
  const item = itemOf(event.item, { inputFormat, durationOf: (bytes) => durationMsOf(inputFormat, bytes) })
  if (item.kind === 'result' && !conversation.hasCall(item.callId)) {
    throw new ProtocolError('invalid_tool_call_id', `Tool call ID '${item.callId}' not found in conversation.`)
  }
  conversation.checkRoom(item)
  const previousItemId = conversation.insert(item, event.previous_item_id)
  conversation.forgetSound(maxKeptBytes)
  emit({ kind: 'item.added', previousItemId, item, isDone: true })
  if (item.kind === 'message' && item.role === 'user') transcripts.followItem(item, transcription)
}

function truncateItem(state: SessionState, event: ClientEventOf<'conversation.item.truncate'>): void {
  const { item_id: itemId, content_index: contentIndex, audio_end_ms: audioEndMs } = event
  const item = state.conversation.get(itemId) ?? unknownItem('truncate', itemId)
  const part = spokenPart(item, contentIndex)
  const heardMs = truncateAudio(part, audioEndMs, (ms) => bytesUpTo(part.format, ms))
  state.emit({ kind: 'item.truncated', itemId, contentIndex, audioEndMs: Math.min(audioEndMs, Math.ceil(heardMs)) })
}

function spokenPart(item: Item, contentIndex: number) {
  const isSpoken = item.kind === 'message' && item.role === 'assistant'
  const part = isSpoken ? item.content[contentIndex] : undefined
  if (part?.kind === 'audio') return part
  throw new ProtocolError('unsupported_content_type', 'Only audio content of an assistant message can be truncated.')
}
