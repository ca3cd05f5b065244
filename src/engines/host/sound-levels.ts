import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { Word } from '../../speech/transcript.ts'

export const LEVEL_STEP_MS = 10
const STEP_SAMPLES = (SAMPLE_RATE_HZ * LEVEL_STEP_MS) / 1000
const FLOOR_DB = -100

/** How loud a clip is, step by step: 0 where it is as quiet as it gets, 1 at its loudest. */
export type SoundLevels = { readonly levels: Float32Array; readonly durationMs: number }

/** Below this the clip's own background is heard, not a voice. */
const SILENT = 0.3
/** What counts as the clip's background and as its loudest. */
const [QUIET_SHARE, LOUD_SHARE] = [0.1, 0.95]
/** A clip that is loud throughout has no background to measure from. */
const LEAST_RANGE_DB = 25
const MOST_RANGE_DB = 55

export function soundLevels(samples: Samples): SoundLevels {
  const steps = Math.ceil(samples.length / STEP_SAMPLES)
  const decibels = Float32Array.from({ length: steps }, (_, step) =>
    levelDb(samples.subarray(step * STEP_SAMPLES, (step + 1) * STEP_SAMPLES)),
  )
  const sorted = decibels.toSorted()
  const share = (part: number) => sorted[Math.floor(part * (steps - 1))] ?? FLOOR_DB
  const loud = share(LOUD_SHARE)
  const range = Math.min(MOST_RANGE_DB, Math.max(LEAST_RANGE_DB, loud - share(QUIET_SHARE)))
  const levels = decibels.map((level) => Math.min(1, Math.max(0, 1 + (level - loud) / range)))
  return { levels, durationMs: Math.round((samples.length * 1000) / SAMPLE_RATE_HZ) }
}

function levelDb(samples: Samples): number {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return Math.max(FLOOR_DB, 10 * Math.log10(energy / Math.max(1, samples.length) + 1e-12))
}

export const isSilent = (level = 0): boolean => level < SILENT

/**
 * Words without the silence at their ends, in order, none reaching into the next, all inside the stretch. A word in
 * which nothing sounds keeps its place.
 */
export function trimToSound(words: readonly Word[], { levels }: SoundLevels, startMs: number, endMs: number): Word[] {
  let passedMs = startMs
  return words.map((word) => {
    const from = Math.max(passedMs, Math.min(word.startMs, endMs))
    const to = Math.max(from, Math.min(word.endMs, endMs))
    const [first, last] = sounding(levels, from, to)
    const trimmed = {
      text: word.text,
      startMs: Math.max(from, first * LEVEL_STEP_MS),
      endMs: Math.min(to, (last + 1) * LEVEL_STEP_MS),
    }
    passedMs = trimmed.endMs
    return trimmed
  })
}

/** First and last step of the stretch in which something sounds. */
function sounding(levels: Float32Array, fromMs: number, toMs: number): [number, number] {
  const [begin, end] = [Math.floor(fromMs / LEVEL_STEP_MS), Math.ceil(toMs / LEVEL_STEP_MS) - 1]
  let [first, last] = [begin, end]
  while (first < end && isSilent(levels[first])) first += 1
  while (last > first && isSilent(levels[last])) last -= 1
  return first >= last ? [begin, end] : [first, last]
}
