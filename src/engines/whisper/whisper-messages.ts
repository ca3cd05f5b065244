import type { LanguageScores } from '../../speech/language.ts'
import type { Samples } from '../../speech/ports.ts'
import type { Segment } from '../../speech/transcript.ts'
import type { WritingSystem } from './allowed-tokens.ts'
import type { CaptionAsk } from './caption-clips.ts'
import type { CaptionScores } from './caption-tree.ts'
import type { ClipWindow } from './clip-states.ts'
import type { Clip } from './transcribe-clips.ts'

export type WhisperSettings = {
  readonly folder: string
  readonly threads: number
  readonly scripts: readonly WritingSystem[]
  readonly withTimestamps: boolean
  readonly taught: readonly string[]
  readonly hasGuards: boolean
  readonly beams: number
}

export type WhisperRequest =
  | { readonly do: 'recognize'; readonly clips: readonly Clip[] }
  | {
      readonly do: 'identify'
      readonly clips: readonly Samples[]
      readonly allowed: readonly string[]
      readonly window: ClipWindow
    }
  | { readonly do: 'caption'; readonly clips: readonly Samples[]; readonly ask: CaptionAsk }

export type WhisperAnswer = {
  /** By clip, to `recognize`. */
  readonly segments?: readonly (readonly Segment[])[]
  /** By clip, to `identify`. */
  readonly scores?: readonly LanguageScores[]
  /** By clip, to `caption`. */
  readonly captions?: readonly CaptionScores[]
}
