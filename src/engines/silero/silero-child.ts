import { setImmediate as nextTurn } from 'node:timers/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serveEngine } from '../host/serve-engine.ts'
import {
  CONTEXT_SAMPLES,
  HIDDEN_SHAPE,
  type SileroAnswer,
  type SileroRequest,
  type SileroSettings,
  WINDOW_SAMPLES,
} from './silero-state.ts'

const SAMPLE_RATE = new Tensor('int64', BigInt64Array.of(16_000n), [])

async function judge(session: InferenceSession, request: SileroRequest, signal: AbortSignal): Promise<SileroAnswer> {
  const { samples } = request
  const probabilities = new Float32Array(Math.floor(samples.length / WINDOW_SAMPLES))
  const input = new Float32Array(CONTEXT_SAMPLES + WINDOW_SAMPLES)
  let hidden = new Tensor('float32', request.state.hidden, HIDDEN_SHAPE)
  input.set(request.state.context, WINDOW_SAMPLES)
  for (let window = 0; window < probabilities.length; window++) {
    if (signal.aborted) throw signal.reason
    input.copyWithin(0, WINDOW_SAMPLES)
    input.set(samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES), CONTEXT_SAMPLES)
    const feeds = { input: new Tensor('float32', input, [1, input.length]), state: hidden, sr: SAMPLE_RATE }
    const { output, stateN } = await session.run(feeds)
    // The network's signature: both outputs are float tensors.
    probabilities[window] = (output?.data as Float32Array)[0] ?? 0
    hidden = stateN as typeof hidden
  }
  await nextTurn()
  return {
    probabilities,
    state: { hidden: hidden.data as Float32Array, context: input.slice(WINDOW_SAMPLES) },
  }
}

serveEngine<SileroSettings, SileroRequest, SileroAnswer>(async ({ model }) => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  return { handle: (request, signal) => judge(session, request, signal) }
})
