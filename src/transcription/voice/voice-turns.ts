import type { Breathe } from '../../audio/breather.ts'
import {
  addSquare,
  cholesky,
  logDeterminant,
  type Matrix,
  mirrored,
  squaredDistance,
  whiten,
  zeros,
} from './gaussian.ts'
import { addTo, eachRow, type VoiceRows } from './voice-rows.ts'

export type TurnModel = {
  /** Which voice each stretch is, and how surely. */
  readonly voices: Int32Array
  readonly confidence: Float64Array
  /** Log-likelihood less the price of its parameters. */
  readonly score: number
}

/** Somebody who speaks now speaks half a second later, too. */
const STAY = 0.9
/**
 * How much one voice scatters in each direction is known before a file is heard: 1 for the voices from which the directions come,
 * more for people. It counts as if it had been seen in so many stretches, which keeps a few alike from being a voice of their own.
 */
const USUAL_SCATTER = 1.5
const USUAL_STRETCHES = 5
/** How much less features are believed to move together than they were seen to. */
const SHRINK = 0.1
const ROUNDS = 25
/** Chosen on made conversations and single voices: dearer, like voices are one; cheaper, one voice is several. */
const PRICE = 0.83
/** Squared, in scatters of a voice; chosen like the price. */
const LEAST_DISTANCE = 6.5
const ENOUGH = 1e-3

/** How much each stretch is each voice: a row of `count` shares for each stretch, which add up to one. */
type Shares = Float64Array

/**
 * Voices as Gaussians around means of their own with one scatter in common: what is said moves every voice alike. Who speaks
 * follows a chain that seldom changes. Fitted by expectation and maximisation from the given first guess.
 */
export async function fitTurns(
  rows: VoiceRows,
  guess: Int32Array,
  count: number,
  breathe: Breathe,
): Promise<TurnModel> {
  let shares: Shares = new Float64Array(guess.length * count)
  guess.forEach((voice, i) => {
    shares[i * count + voice] = 1
  })
  let likelihood = Number.NEGATIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const step = await expect(rows, await maximise(rows, shares, count, breathe), breathe)
    shares = step.shares
    const gained = step.likelihood - likelihood
    likelihood = step.likelihood
    if (gained < ENOUGH) break
  }
  const voices = new Int32Array(guess.length)
  const confidence = new Float64Array(guess.length)
  await eachRow(guess.length, breathe, (i) => {
    const own = shares.subarray(i * count, (i + 1) * count)
    confidence[i] = Math.max(...own)
    voices[i] = own.indexOf(confidence[i] ?? 0)
  })
  return { voices, confidence, score: likelihood - priceOf(rows, voices, count) }
}

/**
 * What each voice but the greatest must gain: Schwarz's price, half the logarithm of what was seen for each number fitted, or in a
 * long recording what a voice with its share of the speech gains that lies `LEAST_DISTANCE` away. Nobody's voice is quite a Gaussian:
 * two of them always fit one person a little better, and the more so the longer one listens.
 */
function priceOf({ weights, seen, size }: VoiceRows, voices: Int32Array, count: number): number {
  const shares = new Float64Array(count)
  voices.forEach((voice, i) => {
    shares[voice] = (shares[voice] ?? 0) + (weights[i] ?? 0) / (seen + 1e-9)
  })
  const schwarz = 0.5 * PRICE * size * Math.log(Math.max(2, seen))
  return [...shares]
    .toSorted((a, b) => a - b)
    .slice(0, -1)
    .reduce((sum, share) => sum + Math.max(schwarz, 0.5 * seen * Math.log(1 + LEAST_DISTANCE * share * (1 - share))), 0)
}

type Fit = { readonly lower: Matrix; readonly means: readonly Float64Array[] }

async function maximise(rows: VoiceRows, shares: Shares, count: number, breathe: Breathe): Promise<Fit> {
  const { points, weights, seen, size, covariance } = rows
  const sums = zeros(count, size)
  const totals = new Float64Array(count)
  await eachRow(points.length, breathe, (i) => {
    sums.forEach((sum, k) => {
      const part = (weights[i] ?? 0) * (shares[i * count + k] ?? 0)
      if (part < 1e-9) return
      totals[k] = (totals[k] ?? 0) + part
      addTo(sum, points[i] ?? sum, part)
    })
  })
  const means = sums.map((sum, k) => sum.map((value) => value / ((totals[k] ?? 0) + 1e-9)))
  // Scatter around means is the whole scatter less that of the means themselves.
  const between = zeros(size, size)
  for (const [k, mean] of means.entries()) addSquare(between, mean, (totals[k] ?? 0) / (seen + 1e-9))
  const usual = USUAL_STRETCHES / (USUAL_STRETCHES + seen)
  const mixed = mirrored(between).map((row, i) =>
    row.map((value, j) => {
      const own = (1 - usual) * ((covariance[i]?.[j] ?? 0) - value)
      return i === j ? own + usual * USUAL_SCATTER : (1 - SHRINK) * own
    }),
  )
  return { lower: cholesky(mixed), means }
}

/** Forwards and backwards through the chain: how likely each voice is at each stretch. */
async function expect(rows: VoiceRows, { lower, means }: Fit, breathe: Breathe) {
  const count = means.length
  const { likelihoods, peaks } = await likelihoodsOf(rows, lower, means, breathe)
  const stretches = peaks.length
  const shares: Shares = new Float64Array(stretches * count)
  let likelihood = 0
  let before = new Float64Array(count).fill(1 / count)
  await eachRow(stretches, breathe, (i) => {
    const heard = likelihoods.subarray(i * count, (i + 1) * count)
    const here = (i === 0 ? before : step(before)).map((value, k) => value * (heard[k] ?? 0))
    const total = here.reduce((sum, value) => sum + value, 0)
    before = here.map((value) => value / total)
    likelihood += (peaks[i] ?? 0) + Math.log(total)
    shares.set(before, i * count)
  })
  let after = new Float64Array(count).fill(1)
  await eachRow(stretches, breathe, (nth) => {
    const i = stretches - 1 - nth
    const own = shares.subarray(i * count, (i + 1) * count)
    const total = own.reduce((sum, value, k) => sum + value * (after[k] ?? 0), 0)
    own.forEach((value, k) => {
      own[k] = (value * (after[k] ?? 0)) / total
    })
    const heard = likelihoods.subarray(i * count, (i + 1) * count)
    const moved = step(after.map((value, k) => value * (heard[k] ?? 0)))
    const most = Math.max(...moved)
    after = moved.map((value) => value / most)
  })
  return { shares, likelihood }
}

/** One step of the chain, the same forwards and backwards: most stays, the rest goes to the others alike. */
function step(from: Float64Array): Float64Array {
  if (from.length === 1) return from
  const total = from.reduce((sum, value) => sum + value, 0)
  const away = (1 - STAY) / (from.length - 1)
  return from.map((value) => STAY * value + away * (total - value))
}

/** How well each voice fits each stretch, over the best fit of the stretch, whose logarithm is its peak. */
async function likelihoodsOf(rows: VoiceRows, lower: Matrix, means: readonly Float64Array[], breathe: Breathe) {
  const { points, weights, size } = rows
  const count = means.length
  const centres = means.map((mean) => whiten(lower, mean))
  const constant = 0.5 * logDeterminant(lower)
  const likelihoods = new Float64Array(points.length * count)
  const peaks = new Float64Array(points.length)
  const place = new Float64Array(size)
  await eachRow(points.length, breathe, (i) => {
    whiten(lower, points[i] ?? place, place)
    const own = likelihoods.subarray(i * count, (i + 1) * count)
    centres.forEach((centre, k) => {
      own[k] = -(weights[i] ?? 0) * (0.5 * squaredDistance(place, centre) + constant)
    })
    const peak = Math.max(...own)
    peaks[i] = peak
    own.forEach((value, k) => {
      own[k] = Math.exp(value - peak)
    })
  })
  return { likelihoods, peaks }
}
