import type { VoicePrint } from '../../speech/transcript.ts'

/** Prints nearer than this are of one voice: where models of speakers put the border between two recordings of one and of two people. */
const SAME_VOICE = 0.5
/** Prints are given to the nearest voice so often, until few would still move. */
const ROUNDS = 3

/** Which voice each print of a file is, counted from 0, and how surely: the cosine to the middle of its voice. */
export function matchPrints(prints: readonly VoicePrint[]) {
  let centres: Float64Array[] = []
  for (const { print } of prints) {
    const { near, cosine } = nearest(print, centres)
    if (cosine < SAME_VOICE) centres.push(Float64Array.from(print))
    else add(centres[near] as Float64Array, print) // near is inside: a cosine was found
  }
  for (let round = 0; round < ROUNDS; round++) {
    const moved = centres.map((centre) => new Float64Array(centre.length))
    for (const { print } of prints) add(moved[nearest(print, centres).near] ?? new Float64Array(0), print)
    centres = moved.filter((centre) => centre.some((value) => value !== 0))
  }
  return prints.map(({ print }) => {
    const { near, cosine } = nearest(print, centres)
    return { voice: near, confidence: Math.max(0, Math.min(1, cosine)) }
  })
}

function nearest(print: readonly number[], centres: readonly Float64Array[]) {
  let [near, cosine] = [0, Number.NEGATIVE_INFINITY]
  centres.forEach((centre, k) => {
    const here = cosineOf(print, centre)
    if (here > cosine) [near, cosine] = [k, here]
  })
  return { near, cosine }
}

function cosineOf(a: readonly number[], b: Float64Array): number {
  let [product, first, second] = [0, 1e-12, 1e-12]
  for (let i = 0; i < b.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    product += x * y
    first += x * x
    second += y * y
  }
  return product / Math.sqrt(first * second)
}

function add(sum: Float64Array, print: readonly number[]): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (print[i] ?? 0)
}
