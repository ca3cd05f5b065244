import { type MelFilter, melFilters } from '../../audio/features/mel-filters.ts'
import { at, PowerSpectrum } from '../../audio/features/power-spectrum.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'

const FRAME_SAMPLES = 400
export const HOP_SAMPLES = 160
const FLOOR = 1e-10
/** Whisper keeps the loudest eight decades and maps them to about -1..1. */
const RANGE_DECADES = 8

/** Whisper's input: log-mel spectrogram, one row per band. */
export class LogMel {
  readonly bands: number
  readonly #spectrum = new PowerSpectrum(FRAME_SAMPLES)
  readonly #filters: readonly MelFilter[]
  readonly #window = Float64Array.from(
    { length: FRAME_SAMPLES },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME_SAMPLES),
  )

  constructor(bands: number) {
    this.bands = bands
    this.#filters = melFilters(bands, this.#spectrum.bins, SAMPLE_RATE_HZ)
  }

  /** Writes `bands` rows of `frames` values: the clip, then silence (or the clip cut) to the window's length. */
  compute(samples: Samples, frames: number, out: Float32Array): void {
    const padded = padForFrames(samples, frames)
    // Frames that touch no sample are silence, whose spectrum is known.
    const heard = Math.min(frames, Math.ceil((samples.length + FRAME_SAMPLES / 2) / HOP_SAMPLES) + 1)
    out.fill(Math.log10(FLOOR))
    const loudest = this.#fillFrames(padded, heard, frames, out)
    const quietest = (heard < frames ? Math.max(loudest, Math.log10(FLOOR)) : loudest) - RANGE_DECADES
    for (let i = 0; i < out.length; i++) out[i] = (Math.max(out[i] ?? 0, quietest) + 4) / 4
  }

  #fillFrames(padded: Float64Array, heard: number, frames: number, out: Float32Array): number {
    const window = this.#window
    const frame = new Float64Array(FRAME_SAMPLES)
    const powers = new Float64Array(this.#spectrum.bins)
    let loudest = Number.NEGATIVE_INFINITY
    for (let t = 0; t < heard; t++) {
      for (let i = 0; i < FRAME_SAMPLES; i++) frame[i] = at(padded, t * HOP_SAMPLES + i) * at(window, i)
      this.#spectrum.compute(frame, powers)
      for (let band = 0; band < this.bands; band++) {
        const value = Math.log10(Math.max(FLOOR, energy(this.#filters[band], powers)))
        out[band * frames + t] = value
        if (value > loudest) loudest = value
      }
    }
    return loudest
  }
}

function energy(filter: MelFilter | undefined, powers: Float64Array): number {
  if (!filter) return 0
  const { firstBin, weights } = filter
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += at(weights, i) * at(powers, firstBin + i)
  return sum
}

/** Frames are centred on their time, so that the window is mirrored at both ends. */
function padForFrames(samples: Samples, frames: number): Float64Array {
  const windowSamples = frames * HOP_SAMPLES
  const margin = FRAME_SAMPLES / 2
  const padded = new Float64Array(windowSamples + 2 * margin)
  padded.set(samples.subarray(0, windowSamples), margin)
  for (let i = 1; i <= margin; i++) {
    padded[margin - i] = padded[margin + i] ?? 0
    padded[margin + windowSamples - 1 + i] = padded[margin + windowSamples - 1 - i] ?? 0
  }
  return padded
}
