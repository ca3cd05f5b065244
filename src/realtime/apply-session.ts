import type { Tool } from '../speech/language-model.ts'
import { ProtocolError } from './protocol-error.ts'
import type { SessionInput, SharedInput } from './schema/session-schema.ts'
import {
  type AudioFormat,
  DEFAULT_TURN_DETECTION,
  type SessionConfig,
  type ToolChoice,
  type Transcription,
  type TurnDetection,
} from './session-config.ts'
import { TRANSCRIPTION_MODEL, type Vocabulary } from './vocabulary.ts'

export type Dialect = 'beta' | 'ga'

export type UpdateContext = {
  readonly dialect: Dialect
  readonly vocabulary: Vocabulary
  /** The assistant has been heard: another voice would be another person. */
  readonly hasSpoken: boolean
}

/** The session after an update, or a `ProtocolError` and no change at all. Absent members stay as they are. */
export function applySession(now: SessionConfig, input: SessionInput, context: UpdateContext): SessionConfig {
  checkUpdate(now, input, context)
  const { audio = {} } = input
  const own = <T>(beta: T, ga: T): T => ownSpelling(context.dialect, beta, ga)
  const transcription = own(input.input_audio_transcription, audio.input?.transcription)
  const noise = own(input.input_audio_noise_reduction, audio.input?.noise_reduction)
  const detection = own(input.turn_detection, audio.input?.turn_detection)
  const next: SessionConfig = {
    ...now,
    ...applyShared(now, input, context.dialect),
    voice: own(input.voice, audio.output?.voice) ?? now.voice,
    speed: own(input.speed, audio.output?.speed) ?? now.speed,
    inputFormat: own(input.input_audio_format, fromGaFormat(audio.input?.format)) ?? now.inputFormat,
    outputFormat: own(input.output_audio_format, fromGaFormat(audio.output?.format)) ?? now.outputFormat,
    transcription: transcription === undefined ? now.transcription : toTranscription(transcription, now.transcription),
    noiseReduction: noise === undefined ? now.noiseReduction : (noise?.type ?? null),
    turnDetection: detection === undefined ? now.turnDetection : toTurnDetection(detection),
    tracing: input.tracing === undefined ? now.tracing : input.tracing,
    include: input.include === undefined ? now.include : input.include,
    prompt: input.prompt === undefined ? now.prompt : input.prompt,
  }
  checkVoice(now, next, context)
  checkToolChoice(next, 'session.tool_choice')
  return next
}

/** What one response may set as well. */
export function applyShared(now: SessionConfig, input: SharedInput, dialect: Dialect) {
  const modalities = ownSpelling(dialect, input.modalities, input.output_modalities)
  const limit = ownSpelling(dialect, input.max_response_output_tokens, input.max_output_tokens)
  return {
    modality: modalities === undefined ? now.modality : modalities.includes('audio') ? 'audio' : 'text',
    instructions: input.instructions ?? now.instructions,
    tools: input.tools === undefined ? now.tools : input.tools.map(toTool),
    toolChoice: input.tool_choice === undefined ? now.toolChoice : toToolChoice(input.tool_choice),
    parallelToolCalls: input.parallel_tool_calls ?? now.parallelToolCalls,
    temperature: input.temperature ?? now.temperature,
    maxOutputTokens: limit ?? now.maxOutputTokens,
  } as const
}

/** Either spelling is understood; where both are sent, the one of the connection's dialect counts. */
export const ownSpelling = <T>(dialect: Dialect, beta: T, ga: T): T =>
  dialect === 'beta' ? (beta === undefined ? ga : beta) : ga === undefined ? beta : ga

const GA_FORMATS = { 'audio/pcm': 'pcm16', 'audio/pcmu': 'g711_ulaw', 'audio/pcma': 'g711_alaw' } as const

export const fromGaFormat = (format: { type: keyof typeof GA_FORMATS } | undefined): AudioFormat | undefined =>
  format && GA_FORMATS[format.type]

export function checkToolChoice({ tools, toolChoice }: SessionConfig, param: string): void {
  if (toolChoice === 'required' && tools.length === 0) {
    throw new ProtocolError('invalid_value', 'tool_choice "required" needs at least one tool.', { param })
  }
  if (typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name)) {
    throw new ProtocolError('invalid_value', `tool_choice names "${toolChoice.name}", which is no tool.`, { param })
  }
}

function checkUpdate(now: SessionConfig, input: SessionInput, { dialect }: UpdateContext): void {
  if (dialect === 'ga' && input.type === undefined) {
    const param = 'session.type'
    throw new ProtocolError('missing_required_parameter', `Missing required parameter: '${param}'.`, { param })
  }
  if (input.model === undefined || input.model === now.model) return
  const message = `The model of a session cannot be changed: it is "${now.model}".`
  throw new ProtocolError('invalid_value', message, { param: 'session.model' })
}

function checkVoice(now: SessionConfig, next: SessionConfig, { vocabulary, hasSpoken }: UpdateContext): void {
  if (!hasSpoken || vocabulary.resolveVoice(now.voice) === vocabulary.resolveVoice(next.voice)) return
  throw new ProtocolError('cannot_update_voice', "Cannot update a conversation's voice if assistant audio is present.")
}

type ToolInput = NonNullable<SharedInput['tools']>[number]

const toTool = ({ name, description, parameters }: ToolInput): Tool => ({
  name,
  ...(typeof description === 'string' && { description }),
  ...(parameters && { parameters }),
})

function toToolChoice(choice: NonNullable<SharedInput['tool_choice']>): ToolChoice {
  if (typeof choice === 'object') return { name: 'name' in choice ? choice.name : choice.function.name }
  return choice === 'none' || choice === 'required' ? choice : 'auto'
}

type TranscriptionInput = NonNullable<SessionInput['input_audio_transcription']>

/** An update that names only a language keeps the model that is there. */
function toTranscription(input: TranscriptionInput | null, now: Transcription | null): Transcription | null {
  if (input === null) return null
  return {
    model: input.model ?? now?.model ?? TRANSCRIPTION_MODEL,
    language: input.language ?? null,
    prompt: input.prompt ?? null,
  }
}

function toTurnDetection(input: NonNullable<SessionInput['turn_detection']> | null): TurnDetection | null {
  if (input === null) return null
  const usual = DEFAULT_TURN_DETECTION
  return {
    threshold: input.threshold ?? usual.threshold,
    prefixPaddingMs: input.prefix_padding_ms ?? usual.prefixPaddingMs,
    silenceDurationMs: input.silence_duration_ms ?? usual.silenceDurationMs,
    createResponse: input.create_response ?? usual.createResponse,
    interruptResponse: input.interrupt_response ?? usual.interruptResponse,
    idleTimeoutMs: input.idle_timeout_ms ?? null,
  }
}
