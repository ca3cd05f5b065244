const FRAME_SAMPLES = 240
/** Of the loudest frame; breath and the hiss of an "s" are louder than this. */
const SILENT_SHARE = 0.006
const LEAD_MS = 60
/** How long a speaker rests after a mark; inside a phrase there is no rest. */
const RESTS_MS: readonly (readonly [marks: RegExp, restMs: number])[] = [
  [/[.!?।॥…]["'”’)]*$/u, 300],
  [/[,;:—–]$/u, 160],
]
const NO_REST_MS = 60

/**
 * Kokoro puts up to half a second of silence around whatever it says. A listener would wait for that, and a phrase that is said in two
 * pieces would fall apart.
 */
export function trimSilence(samples: Float32Array, text: string, sampleRateHz: number): Float32Array {
  const levels = Array.from({ length: Math.ceil(samples.length / FRAME_SAMPLES) }, (_, at) =>
    levelOf(samples.subarray(at * FRAME_SAMPLES, (at + 1) * FRAME_SAMPLES)),
  )
  const silent = SILENT_SHARE * levels.reduce((most, level) => Math.max(most, level), 0)
  const first = levels.findIndex((level) => level > silent)
  if (first === -1) return samples
  const last = levels.findLastIndex((level) => level > silent)
  const restMs = RESTS_MS.find(([marks]) => marks.test(text))?.[1] ?? NO_REST_MS
  const from = first * FRAME_SAMPLES - (LEAD_MS * sampleRateHz) / 1000
  const to = (last + 1) * FRAME_SAMPLES + (restMs * sampleRateHz) / 1000
  return samples.slice(Math.max(0, from), to)
}

const levelOf = (frame: Float32Array): number =>
  Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length)
