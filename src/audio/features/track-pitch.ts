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
  const dips = new Float64Array(LONGEST_LAG + 1 + LAGS_AT_ONCE)
  for (let frame = 0; frame < frames; frame++) {
    await breathe()
    const middle = Math.round(((frame + 0.5) * hopSamples) / DECIMATION)
    const start = Math.max(0, middle - ((WINDOW + LONGEST_LAG) >> 1))
    if (start + WINDOW + LONGEST_LAG + LAGS_AT_ONCE > low.length) break
    normalisedDifference(low, start, dips)
    const lag = bestLag(dips)
    hz[frame] = RATE_HZ / refine(dips, lag)
    aperiodicity[frame] = Math.min(1, dips[lag] ?? 1)
  }
  return { hz, aperiodicity }
}

/** Every fourth sample of the signal below 1.8 kHz. Both sides of the filter are alike, so that they are added first. */
async function decimate(samples: Samples, breathe: Breathe): Promise<Float32Array> {
  const out = new Float32Array(Math.floor(samples.length / DECIMATION))
  const reach = LOW_PASS.length - 1
  const padded = new Float32Array(samples.length + 2 * reach)
  padded.set(samples, reach)
  for (let i = 0; i < out.length; i++) {
    if (i % DECIMATED_STEP === 0) await breathe()
    const middle = i * DECIMATION + reach
    let sum = (LOW_PASS[0] as number) * (padded[middle] as number)
    for (let tap = 1; tap <= reach; tap++) {
      sum += (LOW_PASS[tap] as number) * ((padded[middle - tap] as number) + (padded[middle + tap] as number)) // inside the padding
    }
    out[i] = sum
  }
  return out
}

const LOW_PASS = lowPass(31, 1800 / SAMPLE_RATE_HZ)

/** A low-pass of so many taps, from its middle outwards. */
function lowPass(taps: number, cutoff: number): Float64Array {
  const kernel = Float64Array.from({ length: (taps + 1) / 2 }, (_, x) => {
    const ideal = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x)
    return ideal * (0.54 + 0.46 * Math.cos((2 * Math.PI * x) / (taps - 1)))
  })
  const gain = kernel.reduce((sum, tap, x) => sum + (x === 0 ? tap : 2 * tap), 0)
  return kernel.map((tap) => tap / gain)
}

/** How unlike itself the signal is at each lag, over the mean of all shorter lags. */
function normalisedDifference(signal: Float32Array, start: number, out: Float64Array): void {
  for (let lag = 1; lag <= LONGEST_LAG + 1; lag += LAGS_AT_ONCE) differences(signal, start, lag, out)
  out[0] = 1
  let total = 0
  for (let lag = 1; lag <= LONGEST_LAG + 1; lag++) {
    const difference = out[lag] ?? 0
    total += difference
    out[lag] = total === 0 ? 1 : (difference * lag) / total
  }
}

const LAGS_AT_ONCE = 4

/** Four lags from `lag` on, side by side: each sample is read once for all of them, which is two and a half times as fast. */
function differences(signal: Float32Array, start: number, lag: number, out: Float64Array): void {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let b = signal[start + lag] as number // inside, like all below: the caller has looked
  let c = signal[start + lag + 1] as number
  let d = signal[start + lag + 2] as number
  for (let i = start; i < start + WINDOW; i++) {
    const here = signal[i] as number
    const a = b
    b = c
    c = d
    d = signal[i + lag + 3] as number
    first += (here - a) * (here - a)
    second += (here - b) * (here - b)
    third += (here - c) * (here - c)
    fourth += (here - d) * (here - d)
  }
  out[lag] = first
  out[lag + 1] = second
  out[lag + 2] = third
  out[lag + 3] = fourth
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
