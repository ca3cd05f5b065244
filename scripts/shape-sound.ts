import { SAMPLE_RATE_HZ, type Samples } from '../src/speech/ports.ts'

const QUIET = 0.01
const MARGIN_MS = 20

/** The voice alone, so that the times written down are those of speech. */
export function trimSilence(samples: Samples): Samples {
  const margin = (MARGIN_MS * SAMPLE_RATE_HZ) / 1_000
  const first = samples.findIndex((sample) => Math.abs(sample) > QUIET)
  const last = samples.findLastIndex((sample) => Math.abs(sample) > QUIET)
  return samples.slice(Math.max(0, first - margin), last + margin)
}

export function joinSounds(parts: readonly Samples[]): Samples {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
