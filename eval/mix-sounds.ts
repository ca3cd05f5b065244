import { loudPart } from '../src/engines/host/loud-part.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../src/speech/ports.ts'

/** `sound` under `speech`, so many decibels against it where both are heard; `place` 0..1 says where it begins. */
export function mixUnder(speech: Samples, sound: Samples, db: number, place: number): Samples {
  const heard = loudOf(sound).subarray(0, speech.length)
  const gain = (rootMeanSquare(loudOf(speech)) / rootMeanSquare(heard)) * 10 ** (db / 20)
  const start = Math.floor(place * (speech.length - heard.length))
  const mixed = Float32Array.from(speech)
  for (let i = 0; i < heard.length; i++) mixed[start + i] = (mixed[start + i] ?? 0) + gain * (heard[i] ?? 0)
  const peak = mixed.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  return peak > 1 ? mixed.map((sample) => sample / peak) : mixed
}

function loudOf(samples: Samples): Samples {
  const { startMs, endMs } = loudPart(samples) ?? { startMs: 0, endMs: 0 }
  return samples.subarray((startMs * SAMPLE_RATE_HZ) / 1000, (endMs * SAMPLE_RATE_HZ) / 1000)
}

const rootMeanSquare = (samples: Samples): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)) || 1
