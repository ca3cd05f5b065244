import type { Breathe } from '../../audio/breather.ts'
import { squaredDistance } from './gaussian.ts'
import { addTo, eachRow, type VoiceRows } from './voice-rows.ts'

/** Stretches that are taken to be one voice, around their mean. */
type Group = { readonly mean: Float64Array; readonly weight: number; readonly stretches: readonly number[] }

/**
 * First guesses at who speaks, by the number of voices, from two up to `most`: turns of `length` stretches each, of which the
 * two that lie nearest are joined until two are left (Ward). In the space of voices every direction scatters alike.
 */
export async function gatherTurns(
  rows: VoiceRows,
  length: number,
  most: number,
  breathe: Breathe,
): Promise<ReadonlyMap<number, Int32Array>> {
  const groups = turnsOf(rows, length)
  const nearest: (Neighbour | undefined)[] = []
  await eachRow(groups.length, breathe, (i) => {
    nearest[i] = nearestBehind(groups, i)
  })
  const guesses = new Map<number, Int32Array>()
  for (let left = groups.length; left > 1; left--) {
    if (left <= most) guesses.set(left, voicesOf(groups, rows.points.length))
    const first = indexOfLeast(nearest)
    const second = nearest[first]?.index ?? first
    groups[first] = join(groups[first] as Group, groups[second] as Group) // both are there: one is the nearest of the other
    groups[second] = undefined
    nearest[second] = undefined
    await eachRow(second + 1, breathe, (i) => {
      const known = nearest[i]?.index
      const isStale = i === first || known === first || known === second
      if (isStale) nearest[i] = nearestBehind(groups, i)
      else if (i < first) nearest[i] = nearer(nearest[i], groups, i, first)
    })
  }
  return guesses
}

type Neighbour = { readonly index: number; readonly cost: number }
type Groups = readonly (Group | undefined)[]

function turnsOf({ points, weights, size }: VoiceRows, length: number): (Group | undefined)[] {
  return Array.from({ length: Math.ceil(points.length / length) }, (_, turn) => {
    const from = turn * length
    return Array.from({ length: Math.min(length, points.length - from) }, (_, nth): Group => {
      const i = from + nth
      return { mean: points[i] ?? new Float64Array(size), weight: weights[i] ?? 0, stretches: [i] }
    }).reduce(join)
  })
}

/** Each pair is looked at once: from its first group. */
function nearestBehind(groups: Groups, from: number): Neighbour | undefined {
  let best: Neighbour | undefined
  if (groups[from]) for (let to = from + 1; to < groups.length; to++) best = nearer(best, groups, from, to)
  return best
}

function nearer(best: Neighbour | undefined, groups: Groups, from: number, to: number): Neighbour | undefined {
  const [a, b] = [groups[from], groups[to]]
  if (!a || !b) return best
  const cost = (squaredDistance(a.mean, b.mean) * a.weight * b.weight) / (a.weight + b.weight + 1e-9)
  return !best || cost < best.cost ? { index: to, cost } : best
}

function indexOfLeast(nearest: readonly (Neighbour | undefined)[]): number {
  let [index, least] = [0, Number.POSITIVE_INFINITY]
  nearest.forEach((neighbour, i) => {
    if (neighbour && neighbour.cost < least) [index, least] = [i, neighbour.cost]
  })
  return index
}

function join(a: Group, b: Group): Group {
  const weight = a.weight + b.weight
  const mean = new Float64Array(a.mean.length)
  for (const group of [a, b]) addTo(mean, group.mean, (group.weight + 1e-9) / (weight + 2e-9))
  return { mean, weight, stretches: [...a.stretches, ...b.stretches] }
}

function voicesOf(groups: Groups, stretches: number): Int32Array {
  const voices = new Int32Array(stretches)
  groups
    .filter((group) => group !== undefined)
    .forEach((group, voice) => {
      for (const i of group.stretches) voices[i] = voice
    })
  return voices
}
