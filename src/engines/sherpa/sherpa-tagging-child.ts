import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE_HZ } from '../../speech/ports.ts'
import { serveEngine } from '../host/serve-engine.ts'
import type { TaggingAnswer, TaggingRequest, TaggingSettings } from './sherpa-tagger.ts'

serveEngine<TaggingSettings, TaggingRequest, TaggingAnswer>(async ({ config }) => {
  const tagging = new sherpa.AudioTagging(config)
  return {
    async handle({ samples }) {
      const stream = tagging.createStream()
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE_HZ })
      return { events: tagging.compute(stream, -1).map(({ name, prob }) => ({ name, prob })) }
    },
  }
})
