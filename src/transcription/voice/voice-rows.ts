import type { Breathe } from '../../audio/breather.ts'
import { addSquare, type Matrix, mirrored, zeros } from './gaussian.ts'

/** What is heard of a voice over half a second, and how much it weighs: 1 for a stretch full of speech. */
export type HeardVoice = { readonly features: Float64Array; readonly weight: number }

/** Stretches as points around their common mean, which keeps sums of squares exact, with what every fit of them needs. */
export type VoiceRows = {
  readonly size: number
  readonly points: readonly Float64Array[]
  readonly weights: Float64Array
  /** The sum of all weights. */
  readonly seen: number
  readonly covariance: Matrix
}

/** Rows between two breaths: well under a millisecond of work. */
const STEP = 128

/** Goes through many rows without holding up the event loop. */
export async function eachRow(count: number, breathe: Breathe, work: (row: number) => void): Promise<void> {
  for (let from = 0; from < count; from += STEP) {
    await breathe()
    const to = Math.min(count, from + STEP)
    for (let row = from; row < to; row++) work(row)
  }
}

export async function toRows(heard: readonly HeardVoice[], breathe: Breathe): Promise<VoiceRows> {
  const size = heard[0]?.features.length ?? 0
  const weights = Float64Array.from(heard, ({ weight }) => weight)
  const seen = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = new Float64Array(size)
  await eachRow(heard.length, breathe, (i) =>
    addTo(mean, heard[i]?.features ?? mean, (weights[i] ?? 0) / (seen + 1e-9)),
  )
  const points: Float64Array[] = []
  const sum = zeros(size, size)
  await eachRow(heard.length, breathe, (i) => {
    const point = Float64Array.from(mean, (middle, j) => (heard[i]?.features[j] ?? 0) - middle)
    points.push(point)
    addSquare(sum, point, (weights[i] ?? 0) / (seen + 1e-9))
  })
  return { size, points, weights, seen, covariance: mirrored(sum) }
}

export function addTo(sum: Float64Array, point: Float64Array, weight: number): void {
  for (let j = 0; j < sum.length; j++) sum[j] = (sum[j] ?? 0) + weight * (point[j] ?? 0)
}
