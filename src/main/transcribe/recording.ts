import type { Language, Script } from '../../speech/language.ts'

export const FORMATS = ['txt', 'srt', 'vtt', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** What the user wants made of the recordings. */
export type Wish = {
  readonly formats: readonly Format[]
  readonly script: Script
  readonly language?: Language
}

export type Recording = {
  readonly path: string
  /** As the user named it. */
  readonly label: string
  /** Where its transcript goes below the output folder, without an ending. */
  readonly target: string
  readonly bytes: number
  /** Changes when the file does: a run that is taken up again must not believe an old transcript. */
  readonly stamp: string
}

export type Transcribed = {
  readonly kind: 'transcribed'
  readonly recording: Recording
  /** In every format that was asked for. */
  readonly texts: Partial<Record<Format, string>>
  /** The transcript as the service shows it, for scripts. */
  readonly result: unknown
  /** What is missing in it; empty when it is whole. */
  readonly faults: readonly string[]
  readonly ids?: { readonly file_id: string; readonly batch_id: string }
}
export type Failed = { readonly kind: 'failed'; readonly recording: Recording; readonly reason: string }
export type Outcome = Transcribed | Failed

/** How far a run is; every number is of the whole run. */
export type RunProgress = {
  sentBytes: number
  totalBytes: number
  doneFiles: number
  failedFiles: number
  totalFiles: number
  doneChunks: number
  totalChunks: number
  /** Undefined: nobody can say yet. */
  secondsLeft: number | undefined
}

/** A way to get from recordings to transcripts: a service, or this process. */
export type Way = {
  /** Outcomes as they come, in any order, one for each recording. */
  run(recordings: readonly Recording[], show: (change: Partial<RunProgress>) => void): AsyncIterable<Outcome>
  close(): Promise<void>
}
