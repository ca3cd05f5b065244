import type { Language, LanguageScores } from './language.ts'

export const TAGS = [
  'laughing',
  'shouting',
  'pause',
  'crying',
  'coughing',
  'whispering',
  'music',
  'applause',
  'noise',
] as const
export type Tag = (typeof TAGS)[number]

export const TONES = ['neutral', 'cheerful', 'excited', 'angry', 'sad', 'calm'] as const
export type Tone = (typeof TONES)[number]

export type Word = { readonly text: string; readonly startMs: number; readonly endMs: number }

export type TimedTag = {
  readonly tag: Tag
  readonly startMs: number
  readonly endMs: number
  readonly confidence: number
}

/** A stretch of speech by one voice. Times count from the start of whatever holds the segment: its chunk, or the file. */
export type Segment = {
  readonly startMs: number
  readonly endMs: number
  readonly text: string
  readonly language: Language
  /** 0..1, from the recogniser's log-probabilities. */
  readonly confidence: number
  readonly words: readonly Word[]
  readonly tags: readonly TimedTag[]
  readonly speakerId?: string
  readonly speakerConfidence?: number
  readonly tone?: Tone
  readonly toneConfidence?: number
  /** BCP 47, or null when not sure. */
  readonly accent?: string | null
  readonly accentConfidence?: number
}

/**
 * How a voice sounds over half a second: what telling people apart and hearing their tone needs of the sound once that is gone.
 * Times count from the chunk's start. Only moments loud enough to be speech are in the means.
 */
export type VoiceStretch = {
  readonly startMs: number
  readonly endMs: number
  /** How much of it is speech. */
  readonly speechMs: number
  /** How much of that is voiced. */
  readonly voicedMs: number
  /** Octaves above 1 Hz, over its voiced moments: mean and standard deviation. Null: next to nothing is voiced. */
  readonly pitch: readonly [mean: number, spread: number] | null
  readonly levelDb: number
  /** Sound above a kilohertz over sound below. */
  readonly tiltDb: number
  readonly centroidHz: number
  /** Rises of loudness: one for each syllable, about. */
  readonly syllables: number
  /** Timbre: the means of the cepstrum, or what a speaker model made of the stretch. */
  readonly timbre: readonly number[]
  /** Of two channels: -1 all left to 1 all right. Absent for one channel. */
  readonly side?: number
}

/** A stretch of one voice, and what a model of speakers makes of that voice: a direction, alike for stretches of one person. */
export type VoicePrint = { readonly startMs: number; readonly endMs: number; readonly print: readonly number[] }

/** What recognition made of one chunk; times count from the chunk's start. */
export type ChunkTranscript = {
  readonly language: Language
  readonly languageScores: LanguageScores
  readonly segments: readonly Segment[]
  /** Which engine answered, for replay and metrics. */
  readonly engine: string
  /** Absent where speech information is switched off. */
  readonly voice?: readonly VoiceStretch[]
  /** Absent where no model of speakers is at work. */
  readonly prints?: readonly VoicePrint[]
}

/** What the whole file says; times count from the file's start. */
export type Transcript = {
  readonly text: string
  readonly language: Language | null
  readonly languages: readonly Language[]
  readonly durationMs: number
  readonly segments: readonly Segment[]
}
