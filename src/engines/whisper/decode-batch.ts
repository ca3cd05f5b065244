import { findLoop } from './find-loop.ts'
import type { TokenRules } from './token-rules.ts'
import type { WhisperDecoder } from './whisper-graph.ts'

export type DecodeRequest = {
  readonly prompts: readonly (readonly number[])[]
  /** By row: no clip has more to say than its length allows. */
  readonly maxTokens: readonly number[]
  readonly end: number
  readonly noSpeech: number
  readonly temperature: number
  /** By row: what a clip is given must not depend on its neighbours. */
  readonly randoms: readonly (() => number)[]
  readonly stopsLoops: boolean
}

export type Decoded = {
  readonly tokens: readonly number[]
  readonly logProbs: readonly number[]
  /** The decoder's entries after which the tokens were written, in their order, and the one after which the text ended. */
  readonly entries: readonly number[]
  /** How likely the model finds it that nobody speaks. */
  readonly noSpeechProb: number
  /** A loop is cut back to its first round. */
  readonly ending: 'end' | 'length' | 'loop'
}

type Row = {
  readonly index: number
  readonly tokens: number[]
  readonly logProbs: number[]
  ending?: Decoded['ending']
}

/** Writes all rows token by token, side by side; a row that has ended leaves the batch. */
export async function decodeBatch(
  decoder: Pick<WhisperDecoder, 'step' | 'drop'>,
  rules: TokenRules,
  request: DecodeRequest,
  signal: AbortSignal,
): Promise<Decoded[]> {
  const rows: Row[] = request.prompts.map((_, index) => ({ index, tokens: [], logProbs: [] }))
  const places = (tokens: readonly number[]) => tokens.map((token) => rules.placeOf(token))
  // Silence is read after the first token alone.
  const first = await decoder.step(request.prompts.map((prompt) => places(prompt.slice(0, 1))))
  const noSpeechProbs = rows.map(({ index }) => rules.probability(first, index, request.noSpeech))
  const active = [...rows]
  let logits = await decoder.step(request.prompts.map((prompt) => places(prompt.slice(1))))
  while (active.length > 0) {
    if (signal.aborted) throw signal.reason
    active.forEach((row, place) => {
      write(row, rules, logits, place, request)
    })
    dropEnded(active, decoder)
    if (active.length > 0) logits = await decoder.step(active.map((row) => places(row.tokens.slice(-1))))
  }
  const beforeFirst = (request.prompts[0]?.length ?? 0) - 1
  return rows.map(({ index, tokens, logProbs, ending = 'end' }) => ({
    tokens,
    logProbs,
    entries: Array.from({ length: tokens.length + 1 }, (__, at) => beforeFirst + at),
    ending,
    noSpeechProb: noSpeechProbs[index] ?? 0,
  }))
}

function write(row: Row, rules: TokenRules, logits: Float32Array, place: number, request: DecodeRequest): void {
  const { token, logProb } = rules.choose(logits, place, row.tokens, request.temperature, request.randoms[row.index])
  row.logProbs.push(logProb)
  if (token === request.end) {
    row.ending = 'end'
    return
  }
  row.tokens.push(token)
  const looped = request.stopsLoops ? findLoop(row.tokens) : 0
  if (looped > 0) {
    row.ending = 'loop'
    row.tokens.splice(-looped)
    row.logProbs.splice(-looped)
  } else if (row.tokens.length >= (request.maxTokens[row.index] ?? 0)) row.ending = 'length'
}

/** The last row takes the place of a dropped one, here as in the decoder: from the back, so that it has been looked at. */
function dropEnded(active: Row[], decoder: Pick<WhisperDecoder, 'drop'>): void {
  for (let place = active.length - 1; place >= 0; place--) {
    if (!active[place]?.ending) continue
    decoder.drop(place)
    const moved = active.pop()
    if (moved && place < active.length) active[place] = moved
  }
}
