import type { Samples } from '../speech/ports.ts'

/** Cuts a clip in two at the quietest moment of its middle third, where a cut is least likely to go through a word. */
export function splitInQuiet(samples: Samples, windowSamples = 3200): [Samples, Samples] {
  const from = Math.floor(samples.length / 3)
  const to = Math.max(from, Math.floor((samples.length * 2) / 3) - windowSamples)
  const step = Math.max(1, windowSamples >> 3)
  let best = { at: from, energy: Number.POSITIVE_INFINITY }
  for (let at = from; at <= to; at += step) {
    const energy = energyOf(samples.subarray(at, at + windowSamples))
    if (energy < best.energy) best = { at, energy }
  }
  const cut = best.at + (windowSamples >> 1)
  return [samples.subarray(0, cut), samples.subarray(cut)]
}

const energyOf = (window: Samples): number => window.reduce((sum, sample) => sum + sample * sample, 0)
