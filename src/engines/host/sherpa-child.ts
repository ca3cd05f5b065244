import sherpa from 'sherpa-onnx-node'
import { SAMPLE_RATE_HZ } from '../../speech/ports.ts'
import { serveEngine } from './serve-engine.ts'
import type { SherpaAnswer, SherpaRequest, SherpaSettings } from './sherpa-recognizer.ts'

serveEngine<SherpaSettings, SherpaRequest, SherpaAnswer>(async ({ config }) => {
  const recognizer = await sherpa.OfflineRecognizer.createAsync(config)
  return {
    async handle({ samples }) {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE_HZ })
      const { text, tokens = [], timestamps = [], ys_log_probs = [] } = await recognizer.decodeAsync(stream)
      return { text, tokens, startSeconds: timestamps, logProbs: ys_log_probs }
    },
  }
})
