import { deflateSync } from 'node:zlib'
import type { Decoded } from './decode-batch.ts'

const MOST_COMPRESSION = 2.4
const LEAST_LOG_PROB = -1

/** Noise is given a few words with little faith in them: the less faith, the less doubt that somebody speaks is needed. */
const SILENCES = [
  { noSpeechProb: 0.2, logProb: -0.9 },
  { noSpeechProb: 0.6, logProb: -0.5 },
]

export type Verdict = 'good' | 'silent' | 'doubtful'

/** Whether a decoding can be believed: doubtful ones are tried again, silent ones give no text. */
export function judgeDecoding(decoded: Decoded, text: string): Verdict {
  const logProb = meanLogProb(decoded)
  if (SILENCES.some((each) => decoded.noSpeechProb > each.noSpeechProb && logProb < each.logProb)) return 'silent'
  if (decoded.ending === 'loop' || compression(text) > MOST_COMPRESSION || logProb < LEAST_LOG_PROB) return 'doubtful'
  return 'good'
}

export function meanLogProb({ logProbs }: Pick<Decoded, 'logProbs'>): number {
  if (logProbs.length === 0) return 0
  return logProbs.reduce((sum, each) => sum + each, 0) / logProbs.length
}

/** Letters count as one byte each: UTF-8 alone makes Devanagari look three times as repetitive as it is. */
export function compression(text: string): number {
  if (text.length === 0) return 1
  const letters = Uint8Array.from(text, (letter) => (letter.codePointAt(0) ?? 0) & 0xff)
  return letters.length / deflateSync(letters).length
}
