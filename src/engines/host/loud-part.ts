import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'

export type Part = { readonly startMs: number; readonly endMs: number }

const STEP_MS = 50
const STEP_SAMPLES = (SAMPLE_RATE_HZ * STEP_MS) / 1000
/** What is so much quieter than the loudest of a clip stands behind it: a tag names what is in front. */
const BEHIND_DB = 20
/** Below this nothing can be told apart from the recording's own noise. */
const QUIETEST_DB = -60
/** Kept around it: a laugh begins softly. */
const MARGIN_MS = 100

/** The stretch of a clip from its first to its last loud step; absent where nothing is loud enough to be named. */
export function loudPart(samples: Samples): Part | undefined {
  const durationMs = Math.round((samples.length * 1000) / SAMPLE_RATE_HZ)
  const levels = Array.from({ length: Math.ceil(samples.length / STEP_SAMPLES) }, (_, step) =>
    levelDb(samples.subarray(step * STEP_SAMPLES, (step + 1) * STEP_SAMPLES)),
  )
  const loudest = Math.max(...levels)
  if (levels.length === 0 || loudest < QUIETEST_DB) return undefined
  const isLoud = (level: number) => level >= Math.max(QUIETEST_DB, loudest - BEHIND_DB)
  const startMs = Math.max(0, levels.findIndex(isLoud) * STEP_MS - MARGIN_MS)
  const endMs = Math.min(durationMs, (levels.findLastIndex(isLoud) + 1) * STEP_MS + MARGIN_MS)
  return { startMs, endMs }
}

function levelDb(samples: Samples): number {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  return 10 * Math.log10(energy / Math.max(1, samples.length) + 1e-12)
}
