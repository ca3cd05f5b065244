import type { Language, Script } from '../speech/language.ts'

/** What a submission asks of all its files; kept with the batch. */
export type BatchOptions = {
  /** Absent: decided from the audio. */
  readonly language?: Language
  readonly script: Script
  /** Whether tags such as [laughing] and [pause] stand in the text. */
  readonly tags: boolean
  readonly webhook?: { readonly url: string; readonly secret: string }
}
