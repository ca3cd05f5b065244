import type { Decoded, DecodeRequest } from './decode-batch.ts'
import { findLoop } from './find-loop.ts'
import type { TokenRules } from './token-rules.ts'
import type { Branch, WhisperDecoder } from './whisper-graph.ts'

/** A text under way; `seen` are the decoder's entries it is made of, all but its last token. */
type Beam = {
  readonly tokens: readonly number[]
  readonly logProbs: readonly number[]
  readonly sum: number
  readonly seen: readonly number[]
  /** How many of them are the prompt's. */
  readonly prompted: number
}

type Row = {
  readonly index: number
  live: Beam[]
  readonly ended: Decoded[]
}

/**
 * Several texts of each clip side by side, the likeliest kept. All beams of a clip share one row of the decoder: each
 * is told which of the row's earlier tokens are its own, so nothing is ever copied or put in order.
 */
export async function decodeBeams(
  decoder: Pick<WhisperDecoder, 'step' | 'branch' | 'drop'>,
  rules: TokenRules,
  request: DecodeRequest,
  width: number,
  signal: AbortSignal,
): Promise<Decoded[]> {
  const places = (tokens: readonly number[]) => tokens.map((token) => rules.placeOf(token))
  const prompted = request.prompts[0]?.length ?? 0
  const first = await decoder.step(request.prompts.map((prompt) => places(prompt.slice(0, 1))))
  const noSpeechProbs = request.prompts.map((_, index) => rules.probability(first, index, request.noSpeech))
  const seen = Array.from({ length: prompted }, (_, entry) => entry)
  const rows: Row[] = request.prompts.map((_, index) => ({
    index,
    live: [{ tokens: [], logProbs: [], sum: 0, seen, prompted }],
    ended: [],
  }))
  const active = [...rows]
  let logits = await decoder.step(request.prompts.map((prompt) => places(prompt.slice(1))))
  let [branches, written] = [1, prompted]
  while (active.length > 0) {
    if (signal.aborted) throw signal.reason
    active.forEach((row, at) => {
      grow(row, { logits, from: at * branches, rules, width, request })
    })
    dropFinished(active, decoder, width)
    if (active.length === 0) break
    branches = Math.max(...active.map(({ live }) => live.length))
    logits = await decoder.branch(active.map((row) => toBranches(row, branches, rules, prompted, written)))
    written += branches
  }
  return rows.map(({ index, ended }) => ({ ...likeliest(ended), noSpeechProb: noSpeechProbs[index] ?? 0 }))
}

/** Every row gives as many branches; a row with fewer texts gives its first again, which nobody reads. */
function toBranches(row: Row, branches: number, rules: TokenRules, prompted: number, written: number): Branch[] {
  const given = Array.from({ length: branches }, (_, at) => row.live[at] ?? row.live[0]).flatMap((beam) => beam ?? [])
  row.live = row.live.map((beam, at) => ({ ...beam, seen: [...beam.seen, written + at] }))
  return given.map(({ tokens, seen }) => ({
    place: rules.placeOf(tokens.at(-1) ?? 0),
    position: prompted + tokens.length - 1,
    sees: seen,
  }))
}

type Growth = {
  readonly logits: Float32Array
  /** Where the row's first text stands in the logits. */
  readonly from: number
  readonly rules: TokenRules
  readonly width: number
  readonly request: DecodeRequest
}

function grow(row: Row, { logits, from, rules, width, request }: Growth): void {
  const candidates = row.live
    .flatMap((beam, at) => rules.best(logits, from + at, beam.tokens, width + 1).map((choice) => ({ beam, ...choice })))
    .toSorted((a, b) => b.beam.sum + b.logProb - (a.beam.sum + a.logProb))
  row.live = []
  for (const [rank, { beam, token, logProb }] of candidates.slice(0, 2 * width).entries()) {
    if (row.live.length === width) break
    const logProbs = [...beam.logProbs, logProb]
    if (token === request.end) {
      // An ending that would not have been kept as a word is no ending.
      if (rank < width) row.ended.push(decoding({ ...beam, logProbs }, 'end'))
    } else {
      const grown = { ...beam, tokens: [...beam.tokens, token], logProbs, sum: beam.sum + logProb }
      place(row, grown, request)
    }
  }
}

function place(row: Row, beam: Beam, request: DecodeRequest): void {
  const looped = request.stopsLoops ? findLoop(beam.tokens) : 0
  const kept = beam.tokens.length - looped
  const cut = { ...beam, tokens: beam.tokens.slice(0, kept), logProbs: beam.logProbs.slice(0, kept) }
  if (looped > 0) row.ended.push(decoding(cut, 'loop'))
  else if (beam.tokens.length >= (request.maxTokens[row.index] ?? 0)) row.ended.push(decoding(beam, 'length'))
  else row.live.push(beam)
}

const decoding = ({ tokens, logProbs, seen, prompted }: Beam, ending: Decoded['ending']): Decoded => ({
  tokens,
  logProbs,
  entries: seen.slice(prompted - 1, prompted + tokens.length),
  ending,
  noSpeechProb: 0,
})

/** Done when enough texts have ended and none under way is likelier, token for token, than the likeliest of them. */
function isFinished({ live, ended }: Row, width: number): boolean {
  if (live.length === 0) return true
  const whole = ended.filter(({ ending }) => ending === 'end')
  const best = Math.max(...whole.map(score))
  return whole.length >= width && live.every(({ sum, tokens }) => sum / tokens.length <= best)
}

function dropFinished(active: Row[], decoder: Pick<WhisperDecoder, 'drop'>, width: number): void {
  for (let at = active.length - 1; at >= 0; at -= 1) {
    const row = active[at]
    if (!row || !isFinished(row, width)) continue
    decoder.drop(at)
    const moved = active.pop()
    if (moved && at < active.length) active[at] = moved
  }
}

/** Per token: a sum alone would prefer whoever stops first. */
const score = ({ logProbs }: Decoded): number => logProbs.reduce((sum, each) => sum + each, 0) / logProbs.length

const NOTHING: Decoded = { tokens: [], logProbs: [], entries: [], ending: 'end', noSpeechProb: 0 }

/** A text that ended of itself comes before one that ran in a circle or out of room. */
function likeliest(ended: readonly Decoded[]): Decoded {
  const whole = ended.filter(({ ending }) => ending === 'end')
  const [best = NOTHING] = (whole.length > 0 ? whole : ended).toSorted((a, b) => score(b) - score(a))
  return best
}
