import { at, cholesky, logDeterminant, logSum, type Matrix, squaredDistance, whiten, zeros } from './gaussian.ts'

/** What is heard of a voice over half a second, and how much it weighs: 1 for a stretch full of speech. */
export type HeardVoice = { readonly features: Float64Array; readonly weight: number }

export type TurnModel = {
  /** Which voice each stretch is, and how surely. */
  readonly voices: Int32Array
  readonly confidence: Float64Array
  /** Log-likelihood less the price of its parameters. */
  readonly score: number
}

/** Somebody who speaks now speaks half a second later, too. */
const STAY = 0.9
/** The common scatter of a file's voices is held to its plain covariance as if that had been seen in so many stretches. */
const PRIOR_STRETCHES = 10
/** How much less features are believed to move together than they were seen to. */
const SHRINK = 0.1
const ROUNDS = 25
/** Chosen on made conversations and single voices: dearer, like voices are one; cheaper, one voice is several. */
const PRICE = 0.85
const ENOUGH = 1e-3

/**
 * Voices as Gaussians around means of their own with one scatter in common: what is said moves every voice alike. Who speaks
 * follows a chain that seldom changes. Fitted by expectation and maximisation from the given first guess.
 */
export function fitTurns(heard: readonly HeardVoice[], guess: ArrayLike<number>, count: number): TurnModel {
  let shares = heard.map((_, i) => Float64Array.from({ length: count }, (_, k) => (at(guess, i) === k ? 1 : 0)))
  let likelihood = Number.NEGATIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const step = expect(heard, maximise(heard, shares, count))
    shares = step.shares
    const gained = step.likelihood - likelihood
    likelihood = step.likelihood
    if (gained < ENOUGH) break
  }
  const voices = Int32Array.from(shares, (share) => share.indexOf(Math.max(...share)))
  const confidence = Float64Array.from(shares, (share) => Math.max(...share))
  return { voices, confidence, score: likelihood - priceOf(heard, count) }
}

/** Schwarz's price: half the logarithm of what was seen for each number fitted. */
function priceOf(heard: readonly HeardVoice[], count: number): number {
  const seen = heard.reduce((sum, { weight }) => sum + weight, 0)
  return 0.5 * PRICE * count * (heard[0]?.features.length ?? 0) * Math.log(Math.max(2, seen))
}

type Fit = { readonly lower: Matrix; readonly means: readonly Float64Array[] }

function maximise(heard: readonly HeardVoice[], shares: readonly Float64Array[], count: number): Fit {
  const size = heard[0]?.features.length ?? 0
  const means = Array.from({ length: count }, (_, k) => meanOf(heard, (i) => at(shares[i] ?? [], k), size))
  const plain = scatter(heard, () => [1], [meanOf(heard, () => 1, size)], size)
  const common = scatter(heard, (i) => shares[i] ?? [], means, size)
  const seen = heard.reduce((sum, { weight }) => sum + weight, 0)
  const share = PRIOR_STRETCHES / (PRIOR_STRETCHES + seen)
  const mixed = common.map((row, i) =>
    row.map((value, j) => {
      const blended = (1 - share) * value + share * at(plain[i] ?? [], j)
      return i === j ? blended : (1 - SHRINK) * blended
    }),
  )
  return { lower: cholesky(mixed), means }
}

function meanOf(heard: readonly HeardVoice[], share: (index: number) => number, size: number): Float64Array {
  const sum = new Float64Array(size)
  let total = 1e-9
  heard.forEach(({ features, weight }, i) => {
    const part = weight * share(i)
    total += part
    for (let j = 0; j < size; j++) sum[j] = at(sum, j) + part * at(features, j)
  })
  return sum.map((value) => value / total)
}

function scatter(
  heard: readonly HeardVoice[],
  sharesOf: (index: number) => ArrayLike<number>,
  means: readonly Float64Array[],
  size: number,
): Matrix {
  const sum = zeros(size, size)
  let total = 1e-9
  heard.forEach(({ features, weight }, i) => {
    means.forEach((mean, k) => {
      const part = weight * at(sharesOf(i), k)
      if (part < 1e-6) return
      total += part
      const off = features.map((value, j) => value - at(mean, j))
      sum.forEach((row, a) => {
        for (let b = 0; b <= a; b++) row[b] = at(row, b) + part * at(off, a) * at(off, b)
      })
    })
  })
  sum.forEach((row, a) => {
    for (let b = 0; b < a; b++) (sum[b] as Float64Array)[a] = at(row, b) // b is inside
  })
  return sum.map((row) => row.map((value) => value / total))
}

/** Forwards and backwards through the chain: how likely each voice is at each stretch. */
function expect(heard: readonly HeardVoice[], { lower, means }: Fit) {
  const count = means.length
  const centres = means.map((mean) => whiten(lower, mean))
  const constant = 0.5 * logDeterminant(lower)
  const fits = heard.map(({ features, weight }) => {
    const point = whiten(lower, features)
    return Float64Array.from(centres, (centre) => -weight * (0.5 * squaredDistance(point, centre) + constant))
  })
  const move = Array.from({ length: count }, (_, from) =>
    Float64Array.from({ length: count }, (_, to) => Math.log(from === to ? STAY : (1 - STAY) / Math.max(1, count - 1))),
  )
  const forwards = passForwards(fits, move)
  const backwards = passForwards(fits.toReversed(), move).toReversed()
  const likelihood = logSum(forwards.at(-1) ?? [0])
  const shares = fits.map((fit, i) => {
    const log = fit.map((value, k) => at(forwards[i] ?? [], k) + at(backwards[i] ?? [], k) - value)
    const total = logSum(log)
    return log.map((value) => Math.exp(value - total))
  })
  return { shares, likelihood }
}

function passForwards(fits: readonly Float64Array[], move: readonly Float64Array[]): Float64Array[] {
  const passed: Float64Array[] = []
  for (const fit of fits) {
    const before = passed.at(-1)
    passed.push(
      fit.map((value, to) =>
        before
          ? value + logSum(before.map((log, from) => log + at(move[from] ?? [], to)))
          : value - Math.log(fit.length),
      ),
    )
  }
  return passed
}
