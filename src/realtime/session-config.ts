import type { Tool } from '../speech/language-model.ts'

export const AUDIO_FORMATS = ['pcm16', 'g711_ulaw', 'g711_alaw'] as const
export type AudioFormat = (typeof AUDIO_FORMATS)[number]

export type TurnDetection = {
  readonly threshold: number
  readonly prefixPaddingMs: number
  readonly silenceDurationMs: number
  readonly createResponse: boolean
  readonly interruptResponse: boolean
  readonly idleTimeoutMs: number | null
}

export type Transcription = {
  readonly model: string
  readonly language: string | null
  readonly prompt: string | null
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** How a session behaves, in neither dialect's words. Immutable: an update makes another one. */
export type SessionConfig = {
  readonly model: string
  /** `audio`: replies are spoken and written; `text`: only written. */
  readonly modality: 'audio' | 'text'
  readonly instructions: string
  readonly voice: string
  readonly speed: number
  readonly inputFormat: AudioFormat
  readonly outputFormat: AudioFormat
  readonly transcription: Transcription | null
  readonly noiseReduction: 'near_field' | 'far_field' | null
  /** Null: the client ends its turns itself. */
  readonly turnDetection: TurnDetection | null
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  /** Null: as clients of the dialect can bear it. */
  readonly parallelToolCalls: boolean | null
  readonly temperature: number
  readonly maxOutputTokens: number | 'inf'
  /** Taken and shown again, without effect. */
  readonly tracing: unknown
  readonly include: readonly string[] | null
  readonly prompt: unknown
}

export const DEFAULT_TURN_DETECTION: TurnDetection = {
  threshold: 0.5,
  prefixPaddingMs: 300,
  silenceDurationMs: 500,
  createResponse: true,
  interruptResponse: true,
  idleTimeoutMs: null,
}

export const defaultSession = (model: string, voice: string, instructions: string): SessionConfig => ({
  model,
  modality: 'audio',
  instructions,
  voice,
  speed: 1,
  inputFormat: 'pcm16',
  outputFormat: 'pcm16',
  transcription: null,
  noiseReduction: null,
  turnDetection: DEFAULT_TURN_DETECTION,
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: null,
  temperature: 0.8,
  maxOutputTokens: 'inf',
  tracing: null,
  include: null,
  prompt: null,
})
