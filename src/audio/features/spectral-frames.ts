import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { Breathe } from '../breather.ts'
import { type MelFilter, melFilters } from './mel-filters.ts'
import { PowerSpectrum } from './power-spectrum.ts'

/** 20 ms: fast enough for prosody, and half the work of a recogniser's frames. */
export const HOP_SAMPLES = 320
export const HOP_MS = (HOP_SAMPLES * 1000) / SAMPLE_RATE_HZ
export const CEPSTRA = 19

/** One value, or `CEPSTRA` values, for every 20 ms. */
export type SpectralFrames = {
  readonly frames: number
  /** Decibel of full scale. */
  readonly levelDb: Float32Array
  /** How much more sound is above a kilohertz than below: strained voices are bright, soft ones dull. */
  readonly tiltDb: Float32Array
  readonly centroidHz: Float32Array
  /** Mel-frequency cepstrum without its first value, which is the level; rows of `CEPSTRA`. */
  readonly cepstra: Float32Array
}

const FRAME_SAMPLES = 400
const BANDS = 40
const BIN_HZ = SAMPLE_RATE_HZ / FRAME_SAMPLES
const [LOWEST_HZ, SPLIT_HZ, HIGHEST_HZ] = [50, 1000, 5000]
const FLOOR = 1e-10

const WINDOW = Float64Array.from(
  { length: FRAME_SAMPLES },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME_SAMPLES),
)
const FILTERS = melFilters(BANDS, FRAME_SAMPLES / 2 + 1, SAMPLE_RATE_HZ)
const COSINES = Float64Array.from({ length: CEPSTRA * BANDS }, (_, i) => {
  const [row, band] = [Math.floor(i / BANDS) + 1, i % BANDS]
  return (2 / BANDS) * Math.cos((Math.PI * row * (band + 0.5)) / BANDS)
})

export async function spectralFrames(samples: Samples, breathe: Breathe): Promise<SpectralFrames> {
  const spectrum = new PowerSpectrum(FRAME_SAMPLES)
  const frames = Math.max(0, Math.floor((samples.length - FRAME_SAMPLES) / HOP_SAMPLES) + 1)
  const all = {
    frames,
    levelDb: new Float32Array(frames),
    tiltDb: new Float32Array(frames),
    centroidHz: new Float32Array(frames),
    cepstra: new Float32Array(frames * CEPSTRA),
  }
  const [frame, powers, bands] = [
    new Float64Array(FRAME_SAMPLES),
    new Float64Array(spectrum.bins),
    new Float64Array(BANDS),
  ]
  for (let t = 0; t < frames; t++) {
    await breathe()
    for (let i = 0; i < FRAME_SAMPLES; i++) frame[i] = (samples[t * HOP_SAMPLES + i] ?? 0) * (WINDOW[i] ?? 0)
    spectrum.compute(frame, powers)
    describePowers(powers, t, all)
    FILTERS.forEach((filter, band) => {
      bands[band] = Math.log(Math.max(FLOOR, energy(filter, powers)))
    })
    cepstrum(bands, all.cepstra.subarray(t * CEPSTRA, (t + 1) * CEPSTRA))
  }
  return all
}

function describePowers(powers: Float64Array, at: number, out: SpectralFrames): void {
  let [low, high, total, weighted] = [FLOOR, FLOOR, FLOOR, 0]
  for (let bin = 0; bin < powers.length; bin++) {
    const [hz, power] = [bin * BIN_HZ, powers[bin] ?? 0]
    if (hz < LOWEST_HZ) continue
    total += power
    weighted += power * hz
    if (hz < SPLIT_HZ) low += power
    else if (hz < HIGHEST_HZ) high += power
  }
  // A full-scale sine has a quarter of the frame's square in its two half spectra under this window.
  out.levelDb[at] = 10 * Math.log10(total / (FRAME_SAMPLES * FRAME_SAMPLES * 0.09))
  out.tiltDb[at] = 10 * Math.log10(high / low)
  out.centroidHz[at] = weighted / total
}

function energy({ firstBin, weights }: MelFilter, powers: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (powers[firstBin + i] ?? 0)
  return sum
}

function cepstrum(bands: Float64Array, out: Float32Array): void {
  for (let row = 0; row < CEPSTRA; row++) {
    let sum = 0
    for (let band = 0; band < BANDS; band++) sum += (COSINES[row * BANDS + band] ?? 0) * (bands[band] ?? 0)
    out[row] = sum
  }
}
