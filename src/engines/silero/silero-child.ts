import { setImmediate as nextTurn } from 'node:timers/promises'
import { InferenceSession } from 'onnxruntime-node'
import { serveEngine } from '../host/serve-engine.ts'
import { judgeStreams } from './judge-streams.ts'
import type { SileroAnswer, SileroRequest, SileroSettings } from './silero-state.ts'

serveEngine<SileroSettings, SileroRequest, SileroAnswer>(async ({ model }) => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  return {
    async handle(request, signal) {
      const answer = await judgeStreams(session, request, signal)
      await nextTurn()
      return answer
    },
  }
})
