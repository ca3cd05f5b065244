import type { Dialect } from './apply-session.ts'
import type { Item, Part } from './conversation-item.ts'
import type { ResponseStatus, ResponseView, SessionView, Usage } from './server-event.ts'
import type { AudioFormat, SessionConfig, ToolChoice, Transcription, TurnDetection } from './session-config.ts'

export type Wire = Readonly<Record<string, unknown>>

/** `both`: not yet known which dialect the client speaks; no client minds members it does not look for. */
export function renderSession({ id, expiresAt, config }: SessionView, dialect: Dialect | 'both'): Wire {
  const common = { id, object: 'realtime.session', expires_at: expiresAt, ...renderCommon(config) }
  const beta = dialect === 'ga' ? {} : betaSession(config)
  const ga = dialect === 'beta' ? {} : gaSession(config)
  return { ...common, ...beta, ...ga }
}

const renderCommon = (config: SessionConfig): Wire => ({
  model: config.model,
  instructions: config.instructions,
  tools: config.tools.map((tool) => ({ type: 'function', ...tool })),
  tool_choice: renderToolChoice(config.toolChoice),
  tracing: config.tracing,
  include: config.include,
  prompt: config.prompt,
})

const betaSession = (config: SessionConfig): Wire => ({
  modalities: modalities(config),
  voice: config.voice,
  input_audio_format: config.inputFormat,
  output_audio_format: config.outputFormat,
  input_audio_transcription: renderTranscription(config.transcription),
  input_audio_noise_reduction: config.noiseReduction && { type: config.noiseReduction },
  turn_detection: renderTurnDetection(config.turnDetection),
  temperature: config.temperature,
  max_response_output_tokens: config.maxOutputTokens,
  speed: config.speed,
  client_secret: null,
})

const gaSession = (config: SessionConfig): Wire => ({
  type: 'realtime',
  output_modalities: [config.modality],
  max_output_tokens: config.maxOutputTokens,
  parallel_tool_calls: config.parallelToolCalls ?? true,
  audio: {
    input: {
      format: renderFormat(config.inputFormat),
      transcription: renderTranscription(config.transcription),
      noise_reduction: config.noiseReduction && { type: config.noiseReduction },
      turn_detection: renderTurnDetection(config.turnDetection),
    },
    output: { format: renderFormat(config.outputFormat), voice: config.voice, speed: config.speed },
  },
})

const modalities = ({ modality }: SessionConfig): string[] => (modality === 'audio' ? ['audio', 'text'] : ['text'])

const FORMATS: Readonly<Record<AudioFormat, Wire>> = {
  pcm16: { type: 'audio/pcm', rate: 24_000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
}
const renderFormat = (format: AudioFormat): Wire => FORMATS[format]

const renderToolChoice = (choice: ToolChoice): unknown =>
  typeof choice === 'object' ? { type: 'function', name: choice.name } : choice

const renderTranscription = (transcription: Transcription | null): Wire | null => transcription && { ...transcription }

/** Every member: one stock client cancels by itself unless it sees `interrupt_response: true`. */
const renderTurnDetection = (detection: TurnDetection | null): Wire | null =>
  detection && {
    type: 'server_vad',
    threshold: detection.threshold,
    prefix_padding_ms: detection.prefixPaddingMs,
    silence_duration_ms: detection.silenceDurationMs,
    create_response: detection.createResponse,
    interrupt_response: detection.interruptResponse,
    idle_timeout_ms: detection.idleTimeoutMs,
  }

export function renderItem(item: Item, dialect: Dialect, withSound = false): Wire {
  const common = { id: item.id, object: 'realtime.item', status: item.status }
  switch (item.kind) {
    case 'message': {
      const content = item.content.map((part) => renderPart(part, item.role, dialect, withSound))
      return { ...common, type: 'message', role: item.role, content }
    }
    case 'call': {
      const { name, callId, argumentsJson } = item
      return { ...common, type: 'function_call', name, call_id: callId, arguments: argumentsJson }
    }
    case 'result':
      return { ...common, type: 'function_call_output', call_id: item.callId, output: item.output }
  }
}

/** `transcript` is there even when nothing is known yet: one stock client throws where it is missing. */
function renderPart(part: Part, role: string, dialect: Dialect, withSound: boolean): Wire {
  const prefix = role === 'assistant' ? (dialect === 'ga' ? 'output_' : '') : 'input_'
  if (part.kind === 'text') return { type: `${prefix}text`, text: part.text }
  const sound = withSound ? { audio: Buffer.concat(part.audio ?? []).toString('base64'), format: part.format } : {}
  return { type: `${prefix}audio`, transcript: part.transcript, ...sound }
}

export function renderResponse(view: ResponseView, dialect: Dialect): Wire {
  const { id, status, output, conversationId, config, usage, metadata } = view
  const shape =
    dialect === 'beta'
      ? {
          modalities: modalities(config),
          voice: config.voice,
          output_audio_format: config.outputFormat,
          temperature: config.temperature,
        }
      : {
          output_modalities: [config.modality],
          audio: { output: { format: renderFormat(config.outputFormat), voice: config.voice } },
        }
  return {
    object: 'realtime.response',
    id,
    status: status.status,
    status_details: statusDetails(status),
    output: output.map((item) => renderItem(item, dialect)),
    conversation_id: conversationId,
    ...shape,
    max_output_tokens: config.maxOutputTokens,
    usage: usage && renderUsage(usage),
    metadata,
  }
}

function statusDetails(status: ResponseStatus): Wire | null {
  if ('reason' in status) return { type: status.status, reason: status.reason }
  return 'error' in status ? { type: status.status, error: status.error } : null
}

const renderUsage = ({ inputTokens, textTokens, audioTokens }: Usage): Wire => ({
  total_tokens: inputTokens + textTokens + audioTokens,
  input_tokens: inputTokens,
  output_tokens: textTokens + audioTokens,
  input_token_details: {
    text_tokens: inputTokens,
    audio_tokens: 0,
    cached_tokens: 0,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 0 },
  },
  output_token_details: { text_tokens: textTokens, audio_tokens: audioTokens },
})
