import { at, cholesky, type Matrix, squaredDistance, whiten } from './gaussian.ts'
import { fitTurns, type HeardVoice, type TurnModel } from './voice-turns.ts'

const MOST_VOICES = 6
/** Different first guesses end at different answers; the best of so many is taken. */
const GUESSES = 6
/** A stretch of about a turn, of which all is taken to be one voice at first. */
const TURN_STRETCHES = 3

/** Voices are found in so many stretches at most, taken from all over a long recording; then all others are given to them. */
const SEARCHED = 800
const BLOCK = 40

/** Which voice speaks in each stretch; how many there are is found out. The same stretches give the same answer. */
export function tellVoicesApart(heard: readonly HeardVoice[]): TurnModel {
  if (heard.length <= SEARCHED) return search(heard)
  const every = Math.ceil(heard.length / (SEARCHED / BLOCK))
  const sample = heard.filter((_, i) => i % every < BLOCK)
  const { voices } = search(sample)
  const used = [...new Set(voices)]
  const centres = used.map((voice) => meanFeatures(sample.filter((_, i) => voices[i] === voice)))
  const space = stepScatter(heard)
  const points = centres.map((centre) => whiten(space, centre))
  const guess = Int32Array.from(heard, ({ features }) => nearestOf(whiten(space, features), points))
  return fitTurns(heard, guess, used.length)
}

function search(heard: readonly HeardVoice[]): TurnModel {
  let best = fitTurns(heard, new Int32Array(heard.length), 1)
  const most = Math.min(MOST_VOICES, Math.floor(heard.length / TURN_STRETCHES))
  for (let count = 2; count <= most; count++) {
    const model = bestOf(heard, count)
    if (model.score <= best.score) break
    best = model
  }
  return best
}

function bestOf(heard: readonly HeardVoice[], count: number): TurnModel {
  const models = Array.from({ length: GUESSES }, (_, guess) => fitTurns(heard, firstGuess(heard, count, guess), count))
  return models.reduce((best, model) => (model.score > best.score ? model : best))
}

/** Turns gathered around `count` of them that lie far apart, beginning with another one each time. */
function firstGuess(heard: readonly HeardVoice[], count: number, guess: number): Int32Array {
  const turns = meanTurns(heard)
  const centres = [turns[Math.floor((guess * turns.length) / GUESSES)] ?? new Float64Array(0)]
  while (centres.length < count) {
    const far = turns.map((turn) => Math.min(...centres.map((centre) => squaredDistance(turn, centre))))
    centres.push(turns[far.indexOf(Math.max(...far))] ?? new Float64Array(0))
  }
  for (let round = 0; round < 8; round++) {
    const nearest = turns.map((turn) => nearestOf(turn, centres))
    centres.forEach((centre, k) => {
      const own = turns.filter((_, i) => nearest[i] === k)
      if (own.length > 0)
        centres[k] = centre.map((_, j) => own.reduce((sum, turn) => sum + at(turn, j), 0) / own.length)
    })
  }
  return Int32Array.from(heard, (_, i) =>
    nearestOf(turns[Math.floor(i / TURN_STRETCHES)] ?? new Float64Array(0), centres),
  )
}

function nearestOf(turn: Float64Array, centres: readonly Float64Array[]): number {
  const distances = centres.map((centre) => squaredDistance(turn, centre))
  return distances.indexOf(Math.min(...distances))
}

/** Means of neighbouring stretches, in coordinates in which all features scatter alike from one stretch to the next. */
function meanTurns(heard: readonly HeardVoice[]): Float64Array[] {
  const lower = stepScatter(heard)
  return Array.from({ length: Math.ceil(heard.length / TURN_STRETCHES) }, (_, turn) =>
    whiten(lower, meanFeatures(heard.slice(turn * TURN_STRETCHES, (turn + 1) * TURN_STRETCHES))),
  )
}

function stepScatter(heard: readonly HeardVoice[]): Matrix {
  const size = heard[0]?.features.length ?? 0
  const steps = heard
    .slice(1)
    .map(({ features }, i) => features.map((value, j) => value - at(heard[i]?.features ?? [], j)))
  const scatter = Array.from({ length: size }, (_, a) =>
    Float64Array.from({ length: size }, (_, b) => {
      const sum = steps.reduce((total, step) => total + at(step, a) * at(step, b), 0) / Math.max(1, steps.length)
      return a === b ? sum + 1e-6 : 0.5 * sum
    }),
  )
  return cholesky(scatter)
}

function meanFeatures(heard: readonly HeardVoice[]): Float64Array {
  const total = heard.reduce((sum, { weight }) => sum + weight, 1e-9)
  return new Float64Array(heard[0]?.features.length ?? 0).map(
    (_, j) => heard.reduce((sum, { features, weight }) => sum + weight * at(features, j), 0) / total,
  )
}
