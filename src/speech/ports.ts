import type { Language, LanguageScores } from './language.ts'
import type { ChunkTranscript, Segment, TimedTag, VoicePrint } from './transcript.ts'
import type { Voice } from './voice.ts'

/** Mono, 16 kHz, -1..1: the one form in which audio travels between the rooms of speech. */
export type Samples = Float32Array
export const SAMPLE_RATE_HZ = 16_000

/** One of several answers to a batch: a bad clip fails alone. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error }

/** A model that takes a while to be ready, and sleeps when nobody has used it for long. */
export interface Sleeper {
  /** Begins to make it ready, and keeps it so until `release`. `ready` never rejects: what fails shows itself when it is used. */
  keep(): { readonly ready: Promise<void>; readonly release: () => void }
}

/** What works with such models: first the one that is needed first. */
export interface Sleeping {
  readonly sleepers?: readonly Sleeper[]
}

export type RecognitionRequest = {
  readonly samples: Samples
  readonly language: Language
  /** Somebody waits for the answer now: it goes before the work of batches. */
  readonly isLive?: boolean
}

export type Recognition = {
  readonly segments: readonly Segment[]
}

/** Turns clips of at most 30 s into text. Answers come in the order of the requests. */
export interface SpeechRecognizer extends Sleeping {
  readonly name: string
  recognize(requests: readonly RecognitionRequest[], signal?: AbortSignal): Promise<Outcome<Recognition>[]>
  close(): Promise<void>
}

/** How long a language is listened for. Each is several times as slow as the one before, and surer of short clips. */
export const CARES = ['quick', 'careful', 'thorough'] as const
export type Care = (typeof CARES)[number]

export type Listening = {
  readonly signal?: AbortSignal | undefined
  /** As in `RecognitionRequest`. */
  readonly isLive?: boolean
  /** Quick unless said. */
  readonly care?: Care
}

export interface LanguageIdentifier extends Sleeping {
  /** Scores over `allowed` only. */
  identify(clips: readonly Samples[], allowed: readonly Language[], how?: Listening): Promise<LanguageScores[]>
  close(): Promise<void>
}

/** A tag as it was heard. `isAll`: the clip is nothing else, so that whatever was written for it is invented. */
export type HeardTag = TimedTag & { readonly isAll?: boolean }

/** Hears what is no word: laughter, coughing, applause, music. */
export interface EventTagger {
  /** For each clip of at most 30 s what else is heard in it; times count from the clip's start. Answers come in the order of the clips. */
  tag(clips: readonly RecognitionRequest[], signal?: AbortSignal): Promise<Outcome<readonly HeardTag[]>[]>
  close(): Promise<void>
}

/** Knows voices again: a model of speakers. */
export interface SpeakerModel {
  /** The turns in each clip of at most 30 s; times count from the clip's start. Answers come in the order of the clips. */
  hear(clips: readonly Samples[], signal?: AbortSignal): Promise<Outcome<readonly VoicePrint[]>[]>
  close(): Promise<void>
}

/** Speech probability of each consecutive 32 ms window of one stream. A stream keeps state: one per file or call. */
export interface VoiceStream {
  push(samples: Samples): Promise<Float32Array>
  close(): Promise<void>
}

export interface VoiceDetector extends Sleeping {
  /** Live as in `RecognitionRequest`: for a call, not for a file. */
  open(isLive?: boolean): Promise<VoiceStream>
  close(): Promise<void>
}

export type ChunkRequest = {
  readonly samples: Samples
  /** The caller's choice; absent: decided from the audio among `languages`. */
  readonly language?: Language
  readonly languages: readonly Language[]
  /**
   * What was already heard about the language, smoothed over neighbouring chunks; absent: heard from this chunk alone. Empty:
   * nobody speaks in it, it has sounds and no words.
   */
  readonly languageScores?: LanguageScores
  /** Of a two-channel recording: which side each 20 ms came from, -1 left to 1 right. */
  readonly balance?: Float32Array
  /** As in `RecognitionRequest`. */
  readonly isLive?: boolean
}

/** Language choice, recognition and guards together: what a chunk worker and the realtime ear call. */
export interface ChunkTranscriber extends Sleeping {
  transcribe(requests: readonly ChunkRequest[], signal?: AbortSignal): Promise<Outcome<ChunkTranscript>[]>
  close(): Promise<void>
}

/** Mono, -1..1, at the rate the voice was made for. */
export type Sound = { readonly samples: Float32Array; readonly sampleRateHz: number }

export type SynthesisRequest = {
  readonly text: string
  /** Id of one of `voices`. */
  readonly voice: string
  /** 1 is the voice's own pace, 2 twice as fast. */
  readonly speed?: number
}

export interface Synthesizer extends Sleeping {
  readonly voices: readonly Voice[]
  /** The pieces of the text in order, each as soon as it is spoken: a caller can play the first while the next is made. */
  synthesize(request: SynthesisRequest, signal?: AbortSignal): AsyncIterable<Sound>
  close(): Promise<void>
}

export interface Phonemizer extends Sleeping {
  /** The International Phonetic Alphabet for each text, in order. */
  phonemize(
    texts: readonly { readonly text: string; readonly language: Language }[],
    signal?: AbortSignal,
  ): Promise<string[]>
  close(): Promise<void>
}
