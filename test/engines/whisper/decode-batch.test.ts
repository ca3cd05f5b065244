import { describe, expect, it } from 'vitest'
import { decodeBatch } from '../../../src/engines/whisper/decode-batch.ts'
import { TokenRules } from '../../../src/engines/whisper/token-rules.ts'
import type { WhisperDecoder } from '../../../src/engines/whisper/whisper-graph.ts'
import type { WhisperVocabulary } from '../../../src/engines/whisper/whisper-vocabulary.ts'

const END = 10
const NO_SPEECH = 14
const vocabulary: WhisperVocabulary = {
  bytes: [],
  size: 16,
  start: 11,
  end: END,
  transcribe: 12,
  noTimestamps: 13,
  previous: 15,
  noSpeech: NO_SPEECH,
  firstTimestamp: 16,
  languages: new Map(),
  suppressed: [],
  suppressedFirst: [END],
}
const rules = new TokenRules({
  vocabulary,
  tokensOfPlaces: Int32Array.from({ length: 16 }, (_, token) => token),
  allowed: Uint8Array.from({ length: 16 }, (_, token) => (token < END ? 1 : 0)),
  withTimestamps: false,
})

/** Says what it is told to: one list of tokens per row, the last repeated for ever. */
class ScriptedDecoder implements Pick<WhisperDecoder, 'step' | 'drop'> {
  readonly #rows: { readonly says: readonly number[]; at: number }[]
  #hasBegun = false

  constructor(scripts: readonly (readonly number[])[]) {
    this.#rows = scripts.map((says) => ({ says, at: 0 }))
  }

  async step(places: readonly (readonly number[])[]): Promise<Float32Array> {
    expect(places).toHaveLength(this.#rows.length)
    const logits = new Float32Array(16 * this.#rows.length).fill(-10)
    this.#rows.forEach((row, i) => {
      if (!this.#hasBegun) logits[16 * i + NO_SPEECH] = 10
      else logits[16 * i + (row.says[Math.min(row.at++, row.says.length - 1)] ?? END)] = 10
    })
    this.#hasBegun = true
    return logits
  }

  drop(row: number): void {
    const moved = this.#rows.pop()
    if (moved && row < this.#rows.length) this.#rows[row] = moved
  }
}

const request = (rows: number, maxTokens = 400) => ({
  prompts: Array.from({ length: rows }, () => [11, 12, 13]),
  maxTokens: Array.from({ length: rows }, () => maxTokens),
  end: END,
  noSpeech: NO_SPEECH,
  temperature: 0,
  randoms: [],
  stopsLoops: true,
})
const decode = (scripts: readonly (readonly number[])[], maxTokens?: number) =>
  decodeBatch(new ScriptedDecoder(scripts), rules, request(scripts.length, maxTokens), new AbortController().signal)

describe('decoding several clips at once', () => {
  it('keeps each row’s own words, whoever ends first', async () => {
    const scripts = [
      [1, 2, 3, 4, END],
      [5, END],
      [6, 7, 8, END],
      [9, 1, END],
    ]
    const decoded = await decode(scripts)
    expect(decoded.map(({ tokens }) => tokens)).toEqual(scripts.map((script) => script.slice(0, -1)))
    expect(decoded.every(({ ending, noSpeechProb }) => ending === 'end' && noSpeechProb > 0.9)).toBe(true)
  })

  it('cuts a loop back to its first round and lets the others finish', async () => {
    const [looping, calm] = await decode([
      [1, 2, 3],
      [4, 5, END],
    ])
    expect(looping).toMatchObject({ tokens: [1, 2, 3], ending: 'loop' })
    expect(calm).toMatchObject({ tokens: [4, 5], ending: 'end' })
  })

  it('stops at the most a clip of its length can hold', async () => {
    const endless = Array.from({ length: 100 }, (_, i) => (i * i) % 7)
    expect((await decode([endless], 20))[0]).toMatchObject({ ending: 'length', tokens: endless.slice(0, 20) })
  })

  it('stops when told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(decodeBatch(new ScriptedDecoder([[1]]), rules, request(1), signal)).rejects.toThrow('enough')
  })
})
