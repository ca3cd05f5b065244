import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { Breathe } from '../breather.ts'

/** What one moment of a pitch track knows; `hz` is the best guess also where nothing is voiced. */
export type PitchTrack = {
  readonly hz: Float32Array
  /** 0 a pure tone, 1 noise. Voices lie below `VOICED`. */
  readonly aperiodicity: Float32Array
}

export const VOICED = 0.25

/** A voice's fundamental is below 420 Hz: a quarter of the samples tells it as well, in a sixteenth of the time. */
const DECIMATION = 4
const RATE_HZ = SAMPLE_RATE_HZ / DECIMATION
const WINDOW = 160
const DECIMATED_STEP = 1024
const SHORTEST_LAG = Math.floor(RATE_HZ / 420)
const LONGEST_LAG = Math.ceil(RATE_HZ / 60)
/** The first dip below this is taken: deeper ones further on are octaves below the voice. */
const CLEAR_DIP = 0.15

/** YIN (de Cheveigné and Kawahara, 2002) every `hopSamples`, each value for the middle of its hop. */
export async function trackPitch(samples: Samples, hopSamples: number, breathe: Breathe): Promise<PitchTrack> {
  const low = await decimate(samples, breathe)
  const frames = Math.floor(samples.length / hopSamples)
  const hz = new Float32Array(frames)
  const aperiodicity = new Float32Array(frames).fill(1)
  const dips = new Float64Array(LONGEST_LAG + 2)
  for (let frame = 0; frame < frames; frame++) {
    await breathe()
    const middle = Math.round(((frame + 0.5) * hopSamples) / DECIMATION)
    const start = Math.max(0, middle - ((WINDOW + LONGEST_LAG) >> 1))
    if (start + WINDOW + LONGEST_LAG + 1 > low.length) break
    normalisedDifference(low, start, dips)
    const lag = bestLag(dips)
    hz[frame] = RATE_HZ / refine(dips, lag)
    aperiodicity[frame] = Math.min(1, dips[lag] ?? 1)
  }
  return { hz, aperiodicity }
}

/** Every fourth sample of the signal below 1.8 kHz. */
async function decimate(samples: Samples, breathe: Breathe): Promise<Float32Array> {
  const out = new Float32Array(Math.floor(samples.length / DECIMATION))
  const reach = LOW_PASS.length >> 1
  for (let i = 0; i < out.length; i++) {
    if (i % DECIMATED_STEP === 0) await breathe()
    let sum = 0
    for (let tap = 0; tap < LOW_PASS.length; tap++) {
      sum += (LOW_PASS[tap] ?? 0) * (samples[i * DECIMATION + tap - reach] ?? 0)
    }
    out[i] = sum
  }
  return out
}

const LOW_PASS = lowPass(31, 1800 / SAMPLE_RATE_HZ)

function lowPass(taps: number, cutoff: number): Float64Array {
  const kernel = Float64Array.from({ length: taps }, (_, i) => {
    const x = i - (taps - 1) / 2
    const ideal = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x)
    return ideal * (0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (taps - 1)))
  })
  const gain = kernel.reduce((sum, tap) => sum + tap, 0)
  return kernel.map((tap) => tap / gain)
}

/** How unlike itself the signal is at each lag, over the mean of all shorter lags. */
function normalisedDifference(signal: Float32Array, start: number, out: Float64Array): void {
  out[0] = 1
  let total = 0
  for (let lag = 1; lag <= LONGEST_LAG + 1; lag++) {
    let sum = 0
    for (let i = start; i < start + WINDOW; i++) {
      const step = (signal[i] ?? 0) - (signal[i + lag] ?? 0)
      sum += step * step
    }
    total += sum
    out[lag] = total === 0 ? 1 : (sum * lag) / total
  }
}

function bestLag(dips: Float64Array): number {
  let lowest = SHORTEST_LAG
  for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag++) {
    const here = dips[lag] ?? 1
    if (here < CLEAR_DIP && here <= (dips[lag + 1] ?? 1)) return lag
    if (here < (dips[lowest] ?? 1)) lowest = lag
  }
  return lowest
}

/** The vertex of the parabola through a dip and its neighbours. */
function refine(dips: Float64Array, lag: number): number {
  const [before, here, after] = [dips[lag - 1] ?? 1, dips[lag] ?? 1, dips[lag + 1] ?? 1]
  const bend = before - 2 * here + after
  return bend <= 0 ? lag : lag + Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend)))
}
