import type { Segment, Word } from '../../speech/transcript.ts'
import { alignByEnergy } from '../host/align-by-energy.ts'
import { type SoundLevels, trimToSound } from '../host/sound-levels.ts'
import type { Decoded } from './decode-batch.ts'
import { meanLogProb } from './judge-decoding.ts'
import { timestampMs, type WhisperVocabulary } from './whisper-vocabulary.ts'

type Stretch = {
  startMs: number
  endMs: number
  readonly tokens: number[]
  readonly logProbs: number[]
  /** When each token begins, where the model tells. */
  readonly startsMs: number[]
}

export type SegmentsRequest = {
  readonly decoded: Decoded
  readonly vocabulary: WhisperVocabulary
  readonly language: string
  readonly durationMs: number
  readonly levels: SoundLevels
  /** When each token begins and, last, when the text ends. Absent: the model does not tell. */
  readonly startsMs?: readonly number[] | undefined
  /** Tokens to text, in the allowed letters. */
  readonly spell: (tokens: readonly number[]) => string
}

/** Timestamp tokens cut the text into segments; without them the clip is one segment. */
export function toSegments(request: SegmentsRequest): Segment[] {
  return stretches(request).flatMap((stretch) => {
    const text = request.spell(stretch.tokens).trim()
    if (text === '') return []
    const words = timedWords(stretch, request)
    const startMs = words[0]?.startMs ?? stretch.startMs
    const endMs = words.at(-1)?.endMs ?? stretch.endMs
    const confidence = Math.exp(meanLogProb(stretch))
    return [{ startMs, endMs, text, language: request.language, confidence, words, tags: [] }]
  })
}

function timedWords({ tokens, startsMs, startMs, endMs }: Stretch, { spell, levels }: SegmentsRequest): Word[] {
  if (startsMs.length <= tokens.length) return alignByEnergy(spell(tokens), levels, startMs, endMs)
  // A word may share a token with its neighbour's blank and be made of several: its letters tell which are its own.
  const lettersUpTo = tokens.map((_, at) => spell(tokens.slice(0, at + 1)).length)
  const tokenOf = (letter: number) => lettersUpTo.findIndex((passed) => passed > letter)
  const words = [...spell(tokens).matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    startMs: startsMs[tokenOf(index)] ?? startMs,
    endMs: startsMs[tokenOf(index + text.length - 1) + 1] ?? endMs,
  }))
  return trimToSound(words, levels, startMs, endMs)
}

function stretches({ decoded, vocabulary, durationMs, startsMs }: SegmentsRequest): Stretch[] {
  const all: Stretch[] = []
  const begin = (startMs: number): Stretch => ({ startMs, endMs: durationMs, tokens: [], logProbs: [], startsMs: [] })
  const end = (stretch: Stretch, endMs: number, i: number) => {
    if (startsMs) stretch.startsMs.push(startsMs[i] ?? endMs)
    all.push({ ...stretch, endMs })
  }
  let open = begin(0)
  decoded.tokens.forEach((token, i) => {
    if (token < vocabulary.firstTimestamp) {
      open.tokens.push(token)
      open.logProbs.push(decoded.logProbs[i] ?? 0)
      if (startsMs) open.startsMs.push(startsMs[i] ?? 0)
      return
    }
    const timeMs = Math.min(durationMs, timestampMs(vocabulary, token))
    if (open.tokens.length === 0) open.startMs = timeMs
    else {
      end(open, timeMs, i)
      open = begin(timeMs)
    }
  })
  if (open.tokens.length > 0) end(open, durationMs, decoded.tokens.length)
  return all
}
