import type { Breathe } from '../../audio/breather.ts'
import { addSquare, cholesky, type Matrix, mirrored, squaredDistance, whiten, zeros } from './gaussian.ts'
import { addTo, eachRow, type HeardVoice, toRows, type VoiceRows } from './voice-rows.ts'
import { fitTurns, type TurnModel } from './voice-turns.ts'

const MOST_VOICES = 6
/** Different first guesses end at different answers; the best of so many is taken. */
const GUESSES = 6
/** A stretch of about a turn, of which all is taken to be one voice at first. */
const TURN_STRETCHES = 3

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
  const sampleWeights = rows.weights.filter(isSampled)
  const used = [...new Set(voices)]
  const space = await stepScatter(rows, breathe)
  const centres = used.map((voice) => {
    const own = [...sample.keys()].filter((i) => voices[i] === voice)
    return whiten(
      space,
      weightedMean(
        own.map((i) => ({ point: sample[i], weight: sampleWeights[i] })),
        rows.size,
      ),
    )
  })
  const guess = new Int32Array(heard.length)
  const place = new Float64Array(rows.size)
  await eachRow(heard.length, breathe, (i) => {
    guess[i] = nearestOf(whiten(space, rows.points[i] ?? place, place), centres)
  })
  return fitTurns(rows, guess, used.length, breathe)
}

async function search(rows: VoiceRows, breathe: Breathe): Promise<TurnModel> {
  const stretches = rows.points.length
  let best = await fitTurns(rows, new Int32Array(stretches), 1, breathe)
  const turns = await meanTurns(rows, breathe)
  const most = Math.min(MOST_VOICES, Math.floor(stretches / TURN_STRETCHES))
  for (let count = 2; count <= most; count++) {
    let model: TurnModel | undefined
    for (let guess = 0; guess < GUESSES; guess++) {
      const first = firstGuess(turns, stretches, count, guess)
      const tried = await fitTurns(rows, first, count, breathe)
      if (!model || tried.score > model.score) model = tried
    }
    if (!model || model.score <= best.score) break
    best = model
  }
  return best
}

/** Turns gathered around `count` of them that lie far apart, beginning with another one each time. */
function firstGuess(turns: readonly Float64Array[], stretches: number, count: number, guess: number): Int32Array {
  const centres = [turns[Math.floor((guess * turns.length) / GUESSES)] ?? new Float64Array(0)]
  while (centres.length < count) {
    const far = turns.map((turn) => Math.min(...centres.map((centre) => squaredDistance(turn, centre))))
    centres.push(turns[far.indexOf(Math.max(...far))] ?? new Float64Array(0))
  }
  for (let round = 0; round < 8; round++) {
    const nearest = turns.map((turn) => nearestOf(turn, centres))
    centres.forEach((centre, k) => {
      const own = turns.filter((_, i) => nearest[i] === k).map((point) => ({ point, weight: 1 }))
      if (own.length > 0) centres[k] = weightedMean(own, centre.length)
    })
  }
  return Int32Array.from({ length: stretches }, (_, i) =>
    nearestOf(turns[Math.floor(i / TURN_STRETCHES)] ?? new Float64Array(0), centres),
  )
}

function nearestOf(turn: Float64Array, centres: readonly Float64Array[]): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY]
  centres.forEach((centre, k) => {
    const distance = squaredDistance(turn, centre)
    if (distance < least) [nearest, least] = [k, distance]
  })
  return nearest
}

/** Means of neighbouring stretches, in coordinates in which all features scatter alike from one stretch to the next. */
async function meanTurns(rows: VoiceRows, breathe: Breathe): Promise<Float64Array[]> {
  const lower = await stepScatter(rows, breathe)
  return Array.from({ length: Math.ceil(rows.points.length / TURN_STRETCHES) }, (_, turn) => {
    const from = turn * TURN_STRETCHES
    const own = rows.points.slice(from, from + TURN_STRETCHES)
    const weighed = own.map((point, i) => ({ point, weight: rows.weights[from + i] }))
    return whiten(lower, weightedMean(weighed, rows.size))
  })
}

async function stepScatter({ points, size }: VoiceRows, breathe: Breathe): Promise<Matrix> {
  const sum = zeros(size, size)
  const steps = Math.max(1, points.length - 1)
  await eachRow(points.length - 1, breathe, (i) => {
    const off = Float64Array.from({ length: size }, (_, j) => (points[i + 1]?.[j] ?? 0) - (points[i]?.[j] ?? 0))
    addSquare(sum, off, 1 / steps)
  })
  return cholesky(mirrored(sum).map((row, a) => row.map((value, b) => (a === b ? value + 1e-6 : 0.5 * value))))
}

type Weighed = { readonly point: Float64Array | undefined; readonly weight: number | undefined }

function weightedMean(weighed: readonly Weighed[], size: number): Float64Array {
  const total = weighed.reduce((sum, { weight = 0 }) => sum + weight, 1e-9)
  const mean = new Float64Array(size)
  for (const { point, weight = 0 } of weighed) if (point) addTo(mean, point, weight / total)
  return mean
}
