import type { Tone } from '../../speech/transcript.ts'
import type { Manner } from './speaking-manner.ts'

type Trait = 'pitch' | 'range' | 'levelDb' | 'tiltDb' | 'rate'

/** What is a clear difference in each trait: an ear's just noticeable one, some times over. */
const STEP: Readonly<Record<Trait, number>> = { pitch: 0.3, range: 0.1, levelDb: 6, tiltDb: 3, rate: 1 }
/** How much a trait tells. Loudness and brightness carry most of a tone, the rate of syllables least. */
const TRUST: Readonly<Record<Trait, number>> = { pitch: 0.5, range: 0.5, levelDb: 2, tiltDb: 0.7, rate: 0.1 }

/**
 * How a tone differs from the speaker's ordinary way, in steps: the directions in which studies of acted and true emotion agree
 * (Juslin and Laukka 2003, Scherer 2003).
 */
const PROTOTYPES: Readonly<Record<Tone, Readonly<Record<Trait, number>>>> = {
  neutral: { pitch: 0, range: 0, levelDb: 0, tiltDb: 0, rate: 0 },
  calm: { pitch: -0.8, range: -0.8, levelDb: -0.6, tiltDb: -0.3, rate: -0.6 },
  sad: { pitch: -0.5, range: -0.8, levelDb: -1.2, tiltDb: -1, rate: -0.6 },
  cheerful: { pitch: 0.7, range: 0.6, levelDb: 0.8, tiltDb: 0.4, rate: 0.5 },
  excited: { pitch: 2.5, range: 1.2, levelDb: 2, tiltDb: 1.2, rate: 1 },
  angry: { pitch: 1.5, range: 1.2, levelDb: 2.5, tiltDb: 2.5, rate: 0.3 },
}

/** A speaker's ordinary way is a little below the middle: feeling raises voices more often than it lowers them. */
const ORDINARY_SHARE = 0.4
/** How sure a tone must be to be said; below, it is neutral. */
const SURE = 0.38
const SHARPNESS = 1.1

type HeardTone = { readonly tone: Tone; readonly confidence: number }

/** The tone of a segment against its speaker's ordinary manner; neutral where no other is likely enough. */
export function labelTone(manner: Manner, ordinary: Manner): HeardTone {
  const traits = Object.keys(STEP) as Trait[]
  const steps = traits.map((trait) => ({ trait, by: (manner[trait] - ordinary[trait]) / STEP[trait] }))
  const scores = Object.entries(PROTOTYPES).map(([tone, prototype]) => {
    const distance = steps.reduce((sum, { trait, by }) => sum + TRUST[trait] * (by - prototype[trait]) ** 2, 0)
    return { tone: tone as Tone, score: Math.exp(-SHARPNESS * 0.5 * distance) } // the table's own keys
  })
  const total = scores.reduce((sum, { score }) => sum + score, 0)
  // Further from everything than any prototype: numbers too small to divide.
  if (total < 1e-300) return { tone: 'neutral', confidence: 0 }
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  const neutral = scores.find(({ tone }) => tone === 'neutral')?.score ?? 0
  const isSure = best.score / total >= SURE
  return isSure ? { tone: best.tone, confidence: best.score / total } : { tone: 'neutral', confidence: neutral / total }
}

/** What a speaker's segments are like when nothing is the matter. */
export function ordinaryManner(manners: readonly Manner[]): Manner | undefined {
  const [first] = manners
  if (!first) return undefined
  const traits = Object.keys(first) as (keyof Manner)[]
  return Object.fromEntries(
    traits.map((trait) => [trait, quantile(Float64Array.from(manners, (each) => each[trait]))]),
  ) as Manner
}

function quantile(values: Float64Array): number {
  const sorted = values.toSorted()
  const place = (sorted.length - 1) * ORDINARY_SHARE
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}
