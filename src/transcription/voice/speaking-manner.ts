import type { VoiceStretch } from '../../speech/transcript.ts'

/** How somebody speaks over some stretches, as one number for each trait. */
export type Manner = {
  /** Octaves above 1 Hz. */
  readonly pitch: number
  /** How far the pitch moves, in octaves. */
  readonly range: number
  readonly levelDb: number
  readonly tiltDb: number
  /** Syllables in a second of speech. */
  readonly rate: number
  /** 0..1 */
  readonly voiced: number
  readonly speechMs: number
}

/** Undefined where nothing is said. A whisper has no pitch of its own and is given the one of `usual`. */
export function mannerOf(stretches: readonly VoiceStretch[], usual?: Manner): Manner | undefined {
  const speechMs = sum(stretches, ({ speechMs }) => speechMs)
  if (speechMs === 0) return undefined
  const bySpeech = (value: (stretch: VoiceStretch) => number) =>
    sum(stretches, (stretch) => stretch.speechMs * value(stretch)) / speechMs
  const pitched = stretches.flatMap(({ pitch, voicedMs }) =>
    pitch ? [{ mean: pitch[0], spread: pitch[1], voicedMs }] : [],
  )
  const voicedMs = sum(pitched, (each) => each.voicedMs)
  const mean = sum(pitched, (each) => each.mean * each.voicedMs) / voicedMs
  const variance = sum(pitched, (each) => (each.spread ** 2 + (each.mean - mean) ** 2) * each.voicedMs) / voicedMs
  return {
    pitch: voicedMs === 0 ? (usual?.pitch ?? 0) : mean,
    range: voicedMs === 0 ? (usual?.range ?? 0) : Math.sqrt(variance),
    levelDb: bySpeech(({ levelDb }) => levelDb),
    tiltDb: bySpeech(({ tiltDb }) => tiltDb),
    rate: (1000 * sum(stretches, ({ syllables }) => syllables)) / speechMs,
    voiced: sum(stretches, (each) => each.voicedMs) / speechMs,
    speechMs,
  }
}

const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0)
