import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { VoiceStretch } from '../../speech/transcript.ts'
import { BALANCE_WINDOW_MS } from '../audio-block.ts'
import { createBreather } from '../breather.ts'
import { CEPSTRA, HOP_MS, HOP_SAMPLES, type SpectralFrames, spectralFrames } from './spectral-frames.ts'
import { type PitchTrack, trackPitch, VOICED } from './track-pitch.ts'

/** Short enough for the "haan" between two sentences of somebody else. */
const STRETCH_MS = 500
const STRETCH_FRAMES = STRETCH_MS / HOP_MS
/** Sound this far below the loud moments of the chunk is a gap or the room. */
const SPEECH_RANGE_DB = 25
const LOUD_SHARE = 0.95
const LEAST_SPEECH_FRAMES = 4
const LEAST_VOICED_FRAMES = 3
/** A syllable's nucleus stands out of the loudness around it by so much. */
const SYLLABLE_DB = 2.5

/** The voice in a clip, half a second at a time; stretches of silence are left out. */
export async function describeVoice(samples: Samples, balance?: Float32Array): Promise<VoiceStretch[]> {
  const breathe = createBreather()
  const spectra = await spectralFrames(samples, breathe)
  const pitch = await trackPitch(samples, HOP_SAMPLES, breathe)
  const floorDb = loudMoment(spectra.levelDb) - SPEECH_RANGE_DB
  const nuclei = syllableNuclei(spectra.levelDb, floorDb)
  const stretches: VoiceStretch[] = []
  for (let from = 0; from < spectra.frames; from += STRETCH_FRAMES) {
    await breathe()
    const to = Math.min(spectra.frames, from + STRETCH_FRAMES)
    const speech = framesBetween(from, to).filter((frame) => (spectra.levelDb[frame] ?? floorDb) > floorDb)
    if (speech.length < LEAST_SPEECH_FRAMES) continue
    const endMs = Math.min(to * HOP_MS, (samples.length * 1000) / SAMPLE_RATE_HZ)
    const syllables = nuclei.filter((at) => at >= from && at < to).length
    const side = balance && sideOf(balance, from * HOP_MS, endMs)
    stretches.push({
      ...describeFrames(spectra, pitch, speech),
      startMs: from * HOP_MS,
      endMs: Math.round(endMs),
      syllables,
      ...(side !== undefined && { side }),
    })
  }
  return stretches
}

function describeFrames(spectra: SpectralFrames, track: PitchTrack, speech: readonly number[]) {
  const voiced = speech.filter((frame) => (track.aperiodicity[frame] ?? 1) < VOICED)
  const octaves = voiced.map((frame) => Math.log2(track.hz[frame] ?? 1))
  const pitch =
    voiced.length < LEAST_VOICED_FRAMES ? null : ([mean(octaves), spread(octaves)].map(rounded(3)) as [number, number])
  const meanOf = (values: Float32Array) => mean(speech.map((frame) => values[frame] ?? 0))
  const timbre = Array.from({ length: CEPSTRA }, (_, row) =>
    rounded(3)(mean(speech.map((frame) => spectra.cepstra[frame * CEPSTRA + row] ?? 0))),
  )
  return {
    speechMs: speech.length * HOP_MS,
    voicedMs: voiced.length * HOP_MS,
    pitch,
    levelDb: rounded(1)(meanOf(spectra.levelDb)),
    tiltDb: rounded(1)(meanOf(spectra.tiltDb)),
    centroidHz: Math.round(meanOf(spectra.centroidHz)),
    timbre,
  }
}

const framesBetween = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** What all but the loudest twentieth stay below. */
function loudMoment(levels: Float32Array): number {
  const sorted = levels.toSorted()
  return sorted[Math.floor((sorted.length - 1) * LOUD_SHARE)] ?? Number.NEGATIVE_INFINITY
}

/** Peaks of the smoothed loudness with a valley before them. */
function syllableNuclei(levels: Float32Array, floorDb: number): number[] {
  const smooth = levels.map((_, i) => mean(framesBetween(i - 1, i + 2).map((at) => levels[at] ?? floorDb)))
  const nuclei: number[] = []
  let [valley, peak, peakAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1]
  smooth.forEach((level, i) => {
    if (level > peak) [peak, peakAt] = [level, i]
    if (level < valley) [valley, peak, peakAt] = [level, level, i]
    if (peak - level < SYLLABLE_DB || peak - valley < SYLLABLE_DB) return
    if (peak > floorDb) nuclei.push(peakAt)
    ;[valley, peak, peakAt] = [level, level, i]
  })
  return nuclei
}

function sideOf(balance: Float32Array, startMs: number, endMs: number): number {
  const windows = balance.subarray(Math.floor(startMs / BALANCE_WINDOW_MS), Math.ceil(endMs / BALANCE_WINDOW_MS))
  return rounded(2)(mean([...windows]))
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

function spread(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

const rounded =
  (digits: number) =>
  (value: number): number =>
    Math.round(value * 10 ** digits) / 10 ** digits
