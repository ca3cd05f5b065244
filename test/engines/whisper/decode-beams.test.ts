import { beforeAll, describe, expect, it } from 'vitest'
import { decodeBatch } from '../../../src/engines/whisper/decode-batch.ts'
import { decodeBeams } from '../../../src/engines/whisper/decode-beams.ts'
import { LogMel } from '../../../src/engines/whisper/log-mel.ts'
import { openPreparedModel } from '../../../src/engines/whisper/prepared-graph.ts'
import { TokenRules } from '../../../src/engines/whisper/token-rules.ts'
import type { WhisperGraph } from '../../../src/engines/whisper/whisper-graph.ts'
import { readVocabulary, type WhisperVocabulary } from '../../../src/engines/whisper/whisper-vocabulary.ts'
import { windowFrames } from '../../../src/engines/whisper/window-frames.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { preparedWhisper } from '../../support/prepared-whisper.ts'

const CLIPS = ['en-office', 'en-train']
const signal = new AbortController().signal

describe('beams over one row of the decoder', () => {
  let graph: WhisperGraph
  let vocabulary: WhisperVocabulary
  let rules: TokenRules
  let states: Float32Array[]

  beforeAll(async () => {
    const folder = await preparedWhisper('whisper-tiny')
    vocabulary = await readVocabulary(folder)
    graph = (await openPreparedModel(folder, 1)).adapted
    const allowed = new Uint8Array(vocabulary.size).fill(1)
    for (const token of [...vocabulary.suppressed, vocabulary.end]) allowed[token] = 0
    rules = new TokenRules({ vocabulary, tokensOfPlaces: graph.tokensOfPlaces, allowed, withTimestamps: false })
    states = []
    for (const name of CLIPS) {
      const samples = await fixtureClip(name)
      const frames = windowFrames(samples, graph.maxFrames)
      const mel = new Float32Array(graph.melBands * frames)
      new LogMel(graph.melBands).compute(samples, frames, mel)
      states.push(await graph.encode(mel, frames))
    }
  }, 240_000)

  const request = () => {
    const english = vocabulary.languages.get('en') ?? 0
    const prompt = [vocabulary.start, english, vocabulary.transcribe, vocabulary.noTimestamps]
    return {
      prompts: states.map(() => prompt),
      maxTokens: states.map(() => 60),
      end: vocabulary.end,
      noSpeech: vocabulary.noSpeech,
      temperature: 0,
      randoms: [],
      stopsLoops: true,
    }
  }
  const mean = (logProbs: readonly number[]) => logProbs.reduce((sum, each) => sum + each, 0) / logProbs.length

  it('write with one beam what is written without', async () => {
    const plain = await decodeBatch(await graph.startDecoder(states), rules, request(), signal)
    const beamed = await decodeBeams(await graph.startDecoder(states), rules, request(), 1, signal)
    expect(beamed.map(({ tokens }) => tokens)).toEqual(plain.map(({ tokens }) => tokens))
    expect(plain.every(({ tokens }) => tokens.length > 5)).toBe(true)
  }, 60_000)

  it('give each text the probability it has when it is written alone', async () => {
    const beamed = await decodeBeams(await graph.startDecoder(states), rules, request(), 3, signal)
    for (const [at, { tokens, logProbs }] of beamed.entries()) {
      const alone = await graph.startDecoder(states.slice(at, at + 1))
      const places = (of: readonly number[]) => [of.map((token) => rules.placeOf(token))]
      let logits = await alone.step(places(request().prompts[0] ?? []))
      const again: number[] = []
      for (const [i, token] of [...tokens, vocabulary.end].entries()) {
        const choices = rules.best(logits, 0, tokens.slice(0, i), 50)
        again.push(choices.find((choice) => choice.token === token)?.logProb ?? Number.NaN)
        logits = await alone.step(places([token]))
      }
      expect(mean(again)).toBeCloseTo(mean(logProbs), 2)
    }
  }, 120_000)

  it('find a text about as likely as the greedy one, or likelier', async () => {
    const plain = await decodeBatch(await graph.startDecoder(states), rules, request(), signal)
    const beamed = await decodeBeams(await graph.startDecoder(states), rules, request(), 4, signal)
    for (const [at, { logProbs }] of beamed.entries())
      expect(mean(logProbs)).toBeGreaterThanOrEqual(mean(plain[at]?.logProbs ?? []) - 0.01)
  }, 60_000)
})

describe('a first word that leads nowhere', () => {
  const [A, B, C, END, START, NO_SPEECH] = [1, 2, 3, 6, 4, 5]
  const vocabulary: WhisperVocabulary = {
    size: 8,
    end: END,
    start: START,
    noSpeech: NO_SPEECH,
    transcribe: START,
    noTimestamps: START,
    previous: START,
    firstTimestamp: 8,
    languages: new Map(),
    suppressed: [],
    suppressedFirst: [END],
    bytes: [],
  }
  const rules = new TokenRules({
    vocabulary,
    tokensOfPlaces: Int32Array.from({ length: 8 }, (_, token) => token),
    allowed: Uint8Array.from([0, 1, 1, 1, 0, 0, 0, 0]),
    withTimestamps: false,
  })
  /** A is a little likelier than B; after A everything is equally unlikely, after B comes C and then the end. */
  const after = (last: number): Partial<Record<number, number>> => {
    if (last === START) return { [A]: 1, [B]: 0.8 }
    if (last === B) return { [C]: 9 }
    return last === C ? { [END]: 9 } : { [A]: 1, [B]: 1, [C]: 1, [END]: 1 }
  }
  const logitsAfter = (tokens: readonly number[]) =>
    Float32Array.from(tokens.flatMap((token) => Array.from({ length: 8 }, (_, place) => after(token)[place] ?? -9)))
  const decoder = {
    step: async (places: readonly (readonly number[])[]) => logitsAfter(places.map((row) => row.at(-1) ?? START)),
    branch: async (rows: readonly (readonly { readonly place: number }[])[]) =>
      logitsAfter(rows.flat().map(({ place }) => place)),
    drop: () => undefined,
  }
  const request = {
    prompts: [[START, START]],
    maxTokens: [10],
    end: END,
    noSpeech: NO_SPEECH,
    temperature: 0,
    randoms: [],
    stopsLoops: true,
  }

  it('is given up for one that leads on', async () => {
    const [greedy] = await decodeBatch(decoder, rules, request, signal)
    const [beamed] = await decodeBeams(decoder, rules, request, 2, signal)
    expect(greedy?.tokens[0]).toBe(A)
    expect(beamed).toMatchObject({ tokens: [B, C], ending: 'end' })
  })
})
