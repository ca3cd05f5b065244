import { SAMPLE_RATE_HZ, type Samples } from '../src/speech/ports.ts'

const HALF_WIDTH = 24
const QUIET = 0.01
const MARGIN_MS = 20

/** Band-limited: a plain decimation would fold the voice's hiss down into speech. */
export function resampleTo16k(samples: Float32Array, rateHz: number): Samples {
  const ratio = rateHz / SAMPLE_RATE_HZ
  const out = new Float32Array(Math.floor(samples.length / ratio))
  const cutoff = Math.min(1, 1 / ratio) * 0.95
  const width = HALF_WIDTH / cutoff
  for (let i = 0; i < out.length; i++) {
    const centre = i * ratio
    let sum = 0
    for (let j = Math.max(0, Math.ceil(centre - width)); j <= Math.min(samples.length - 1, centre + width); j++) {
      sum += (samples[j] ?? 0) * cutoff * sinc((j - centre) * cutoff) * window((j - centre) / width)
    }
    out[i] = sum
  }
  return out
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const window = (x: number) => 0.5 + 0.5 * Math.cos(Math.PI * x)

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
