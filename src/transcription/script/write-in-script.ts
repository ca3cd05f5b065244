import type { Script } from '../../speech/language.ts'
import type { Segment, Transcript } from '../../speech/transcript.ts'
import { writeText } from '../write-text.ts'
import { toDevanagari } from './to-devanagari.ts'
import { toRoman } from './to-roman.ts'

const WRITE: Record<Script, (text: string) => string> = {
  native: (text) => text,
  roman: toRoman,
  devanagari: toDevanagari,
}

/** Text as heard, all in Latin letters as people type Hinglish, or all in Devanagari. */
export const writeInScript = (text: string, script: Script): string => WRITE[script](text)

export const segmentInScript = (segment: Segment, script: Script): Segment =>
  script === 'native'
    ? segment
    : {
        ...segment,
        text: writeInScript(segment.text, script),
        words: segment.words.map((word) => ({ ...word, text: writeInScript(word.text, script) })),
      }

/** The text is written anew from its segments: tags in brackets are names, not words to be spelt. */
export function transcriptInScript(transcript: Transcript, script: Script): Transcript {
  if (script === 'native') return transcript
  const segments = transcript.segments.map((segment) => segmentInScript(segment, script))
  return { ...transcript, segments, text: transcript.text === '' ? '' : writeText(segments) }
}
