import type { Segment } from '../../speech/transcript.ts'
import { spreadWords } from '../host/word-times.ts'
import type { Decoded } from './decode-batch.ts'
import { meanLogProb } from './judge-decoding.ts'
import { timestampMs, type WhisperVocabulary } from './whisper-vocabulary.ts'

type Stretch = { startMs: number; endMs: number; readonly tokens: number[]; readonly logProbs: number[] }

export type SegmentsRequest = {
  readonly decoded: Decoded
  readonly vocabulary: WhisperVocabulary
  readonly language: string
  readonly durationMs: number
  /** Tokens to text, in the allowed letters. */
  readonly spell: (tokens: readonly number[]) => string
}

/** Timestamp tokens cut the text into segments; without them the clip is one segment. */
export function toSegments(request: SegmentsRequest): Segment[] {
  return stretches(request).flatMap((stretch) => {
    const text = request.spell(stretch.tokens).trim()
    if (text === '') return []
    const { startMs, endMs } = stretch
    const confidence = Math.exp(meanLogProb(stretch))
    return [
      {
        startMs,
        endMs,
        text,
        language: request.language,
        confidence,
        words: spreadWords(text, startMs, endMs),
        tags: [],
      },
    ]
  })
}

function stretches({ decoded, vocabulary, durationMs }: SegmentsRequest): Stretch[] {
  const all: Stretch[] = []
  let open: Stretch = { startMs: 0, endMs: durationMs, tokens: [], logProbs: [] }
  decoded.tokens.forEach((token, i) => {
    if (token < vocabulary.firstTimestamp) {
      open.tokens.push(token)
      open.logProbs.push(decoded.logProbs[i] ?? 0)
      return
    }
    const timeMs = Math.min(durationMs, timestampMs(vocabulary, token))
    if (open.tokens.length === 0) open.startMs = timeMs
    else {
      all.push({ ...open, endMs: timeMs })
      open = { startMs: timeMs, endMs: durationMs, tokens: [], logProbs: [] }
    }
  })
  return open.tokens.length > 0 ? [...all, open] : all
}
