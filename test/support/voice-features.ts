import { Resampler } from '../../src/audio/resampler.ts'
import { LogMel } from '../../src/engines/whisper/log-mel.ts'
import { SAMPLE_RATE_HZ, type Samples, type Sound } from '../../src/speech/ports.ts'

const BANDS = 80
const FRAME = 1_024
const HOP = 512
const [LOWEST_HZ, HIGHEST_HZ] = [65, 400]
/** Below this share of its own loudness a frame's best period is noise. */
const VOICED = 0.5
/** Frames this far below the loudest, in fours of decades as the front end counts, are silence: 30 dB. */
const SPEECH_RANGE = 0.75

/** What tells one voice from another: how high it is, and how its sound is spread over the bands of the ear. */
export type VoiceFeatures = { readonly pitchHz: number; readonly timbre: Float32Array }

export function voiceFeatures({ samples, sampleRateHz }: Sound): VoiceFeatures {
  const sound = new Resampler(sampleRateHz, SAMPLE_RATE_HZ).push(samples)
  return { pitchHz: median(pitches(sound)), timbre: timbreOf(sound) }
}

/** Twelve to the octave, as a listener hears it. */
export const semitonesBetween = (a: VoiceFeatures, b: VoiceFeatures): number =>
  Math.abs(12 * Math.log2(a.pitchHz / b.pitchHz))

/** Mean difference of the bands, in decibels; how loud somebody speaks does not count. */
export function timbreDistance(a: VoiceFeatures, b: VoiceFeatures): number {
  const squares = a.timbre.map((value, band) => (value - (b.timbre[band] ?? 0)) ** 2)
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
}

function timbreOf(sound: Samples): Float32Array {
  const frames = Math.floor(sound.length / 160)
  const mel = new Float32Array(BANDS * frames)
  new LogMel(BANDS).compute(sound, frames, mel)
  const loudness = Float32Array.from({ length: frames }, (_, at) =>
    sumOf(BANDS, (band) => mel[band * frames + at] ?? 0),
  )
  const loudest = Math.max(...loudness)
  const heard = [...loudness.keys()].filter((at) => (loudness[at] ?? 0) >= loudest - BANDS * SPEECH_RANGE)
  // The front end gives (decades + 4) / 4.
  const bands = Float32Array.from(
    { length: BANDS },
    (_, band) => (40 * sumOf(heard.length, (n) => mel[band * frames + (heard[n] ?? 0)] ?? 0)) / heard.length,
  )
  const mean = sumOf(BANDS, (band) => bands[band] ?? 0) / BANDS
  return bands.map((value) => value - mean)
}

function pitches(sound: Samples): number[] {
  const found: number[] = []
  for (let at = 0; at + 2 * FRAME <= sound.length; at += HOP) {
    const pitch = pitchAt(sound, at)
    if (pitch !== undefined) found.push(pitch)
  }
  return found
}

/** The shortest period that is nearly as good as the best: twice a period fits as well. */
function pitchAt(sound: Samples, at: number): number | undefined {
  const product = (lag: number) => sumOf(FRAME, (n) => (sound[at + n] ?? 0) * (sound[at + n + lag] ?? 0))
  const energy = product(0)
  if (energy / FRAME < 1e-4) return undefined
  const first = Math.floor(SAMPLE_RATE_HZ / HIGHEST_HZ)
  const likeness = Array.from(
    { length: Math.floor(SAMPLE_RATE_HZ / LOWEST_HZ) - first + 1 },
    (_, n) => product(first + n) / energy,
  )
  const best = Math.max(...likeness)
  if (best < VOICED) return undefined
  const isPeak = (n: number) =>
    (likeness[n] ?? 0) >= (likeness[n - 1] ?? 0) && (likeness[n] ?? 0) >= (likeness[n + 1] ?? 0)
  const lag = likeness.findIndex((value, n) => value >= 0.85 * best && isPeak(n))
  return lag === -1 ? undefined : SAMPLE_RATE_HZ / (first + lag)
}

const sumOf = (length: number, value: (at: number) => number): number => {
  let sum = 0
  for (let at = 0; at < length; at++) sum += value(at)
  return sum
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
