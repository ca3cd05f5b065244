import type { Voice } from '../speech/voice.ts'
import { ProtocolError } from './protocol-error.ts'

/** Names a client may use, and what each means here. Stock clients send the names they were built with. */
export type Vocabulary = {
  readonly voices: readonly Voice[]
  readonly defaultVoice: string
  /** The id of the voice that a name means, be it its id or another name of it. */
  readonly resolveVoice: (name: string) => string | undefined
  readonly model: string
  /** Only our own model name is taken. */
  readonly isStrict: boolean
}

export const DEFAULT_MODEL = 'lipik-realtime'
export const TRANSCRIPTION_MODEL = 'lipik-transcribe'

/** Recognisers of the reference service: clients ask for one by default, and mean "transcribe". */
const TRANSCRIPTION_ALIASES = /^(whisper-1|gpt-4o(-mini)?-transcribe(-.*)?|gpt-realtime-whisper|lipik-transcribe)$/

/** Realtime models of the reference service; some clients cannot ask for another. */
const MODEL_ALIASES = /^gpt-(4o(-mini)?-)?realtime(-.+)?$/

export const isTranscriptionModel = (name: string): boolean => TRANSCRIPTION_ALIASES.test(name)

export function checkModel({ model, isStrict }: Vocabulary, asked: string | null): string {
  if (asked === null || asked === '') {
    throw new ProtocolError('model_not_found', `the address must name a model: ?model=${model}`, { param: 'model' })
  }
  if (asked === model || (!isStrict && MODEL_ALIASES.test(asked))) return asked
  throw new ProtocolError('model_not_found', `there is no model "${asked}" here: use ${model}`, { param: 'model' })
}
