import type { Segment } from '../../speech/transcript.ts'
import type { Clip, ClipTranscriber } from './transcribe-clips.ts'

export type Transcribers = {
  readonly languages: readonly string[]
  readonly ofThese: ClipTranscriber
  readonly ofOthers: ClipTranscriber
}

/** Takes each clip to the transcriber of its language. */
export async function transcribeByLanguage(
  { languages, ofThese, ofOthers }: Transcribers,
  clips: readonly Clip[],
  signal: AbortSignal,
): Promise<Segment[][]> {
  const isOne = ({ language }: Clip) => languages.includes(language)
  const ask = (by: ClipTranscriber, some: Clip[]) => (some.length > 0 ? by.transcribe(some, signal) : [])
  const these = await ask(ofThese, clips.filter(isOne))
  const others = await ask(
    ofOthers,
    clips.filter((clip) => !isOne(clip)),
  )
  return clips.map((clip) => (isOne(clip) ? these : others).shift() ?? [])
}
