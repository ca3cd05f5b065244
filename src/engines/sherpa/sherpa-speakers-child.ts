import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import { serveEngine } from '../host/serve-engine.ts'
import type { SpeakersAnswer, SpeakersRequest, SpeakersSettings } from './sherpa-speakers.ts'

/** Three digits tell voices apart as well as seven, in a third of the room. */
const DIGITS = 1000

serveEngine<SpeakersSettings, SpeakersRequest, SpeakersAnswer>(async ({ config }) => {
  // Both sides are configured by the same catalogue entry; its embedding model serves the diarization and the prints.
  const diarization = new sherpa.OfflineSpeakerDiarization(config)
  const extractor = new sherpa.SpeakerEmbeddingExtractor((config as { embedding: unknown }).embedding)
  const printOf = (samples: Samples): number[] => {
    const stream = extractor.createStream()
    stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE_HZ })
    stream.inputFinished()
    const print = extractor.compute(stream, false)
    const length = Math.hypot(...print) || 1
    return Array.from(print, (value) => Math.round((DIGITS * value) / length) / DIGITS)
  }
  return {
    async handle({ samples }) {
      const turns = diarization.process(samples)
      const voices = new Map(
        [...new Set(turns.map(({ speaker }) => speaker))].map((speaker) => {
          const own = turns.filter((turn) => turn.speaker === speaker)
          return [speaker, printOf(joined(own.map(({ start, end }) => cut(samples, start, end))))]
        }),
      )
      const prints = turns.map(({ start, end, speaker }) => ({
        startMs: Math.round(start * 1000),
        endMs: Math.round(end * 1000),
        print: voices.get(speaker) ?? [],
      }))
      return { prints }
    },
  }
})

const cut = (samples: Samples, start: number, end: number): Samples =>
  samples.subarray(Math.floor(start * SAMPLE_RATE_HZ), Math.ceil(end * SAMPLE_RATE_HZ))

function joined(parts: readonly Samples[]): Samples {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
