import type { Breathe } from '../../audio/breather.ts'
import { gatherTurns } from './gather-turns.ts'
import { squaredDistance } from './gaussian.ts'
import { addTo, eachRow, type HeardVoice, toRows, type VoiceRows } from './voice-rows.ts'
import { fitTurns, type TurnModel } from './voice-turns.ts'

const MOST_VOICES = 6
/** Different first guesses end at different answers: turns are taken to last one, two and four seconds, and the best answer counts. */
const TURN_STRETCHES = [2, 4, 8]

/** Voices are found in so many stretches at most, taken from all over a long recording; then all others are given to them. */
const SEARCHED = 800
const BLOCK = 40

/** Which voice speaks in each stretch; how many there are is found out. The same stretches give the same answer. */
export async function tellVoicesApart(heard: readonly HeardVoice[], breathe: Breathe): Promise<TurnModel> {
  const rows = await toRows(heard, breathe)
  if (heard.length <= SEARCHED) return search(rows, breathe)
  const every = Math.ceil(heard.length / (SEARCHED / BLOCK))
  const isSampled = (_: unknown, i: number) => i % every < BLOCK
  const { voices } = await search(await toRows(heard.filter(isSampled), breathe), breathe)
  const sample = rows.points.filter(isSampled)
  const weights = rows.weights.filter(isSampled)
  const centres = [...new Set(voices)].map((voice) => {
    const own = [...sample.keys()].filter((i) => voices[i] === voice)
    const total = own.reduce((sum, i) => sum + (weights[i] ?? 0), 1e-9)
    const centre = new Float64Array(rows.size)
    for (const i of own) addTo(centre, sample[i] ?? centre, (weights[i] ?? 0) / total)
    return centre
  })
  const guess = new Int32Array(heard.length)
  await eachRow(heard.length, breathe, (i) => {
    const distances = centres.map((centre) => squaredDistance(rows.points[i] ?? centre, centre))
    guess[i] = distances.indexOf(Math.min(...distances))
  })
  return fitTurns(rows, guess, centres.length, breathe)
}

/** One voice more as long as that explains what is heard better than it costs. */
async function search(rows: VoiceRows, breathe: Breathe): Promise<TurnModel> {
  let best = await fitTurns(rows, new Int32Array(rows.points.length), 1, breathe)
  const starts: ReadonlyMap<number, Int32Array>[] = []
  for (const length of TURN_STRETCHES) starts.push(await gatherTurns(rows, length, MOST_VOICES, breathe))
  for (let count = 2; count <= MOST_VOICES; count++) {
    const before = best
    for (const start of starts) {
      const guess = start.get(count)
      const tried = guess && (await fitTurns(rows, guess, count, breathe))
      if (tried && tried.score > best.score) best = tried
    }
    if (best === before) break
  }
  return best
}
