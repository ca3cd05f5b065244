import { InferenceSession, Tensor } from 'onnxruntime-node'
import { serveEngine } from '../host/serve-engine.ts'
import { PAD } from './kokoro-symbols.ts'

export type KokoroSettings = { readonly model: string; readonly threads: number }
export type KokoroRequest = {
  readonly symbols: readonly number[]
  readonly style: Float32Array
  readonly speed: number
}
export type KokoroAnswer = { readonly samples: Float32Array }

serveEngine<KokoroSettings, KokoroRequest, KokoroAnswer>(async ({ model, threads }) => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: threads, interOpNumThreads: 1 })
  return {
    async handle({ symbols, style, speed }) {
      const ids = BigInt64Array.from([PAD, ...symbols, PAD], BigInt)
      const { waveform } = await session.run({
        input_ids: new Tensor('int64', ids, [1, ids.length]),
        style: new Tensor('float32', style, [1, style.length]),
        speed: new Tensor('float32', Float32Array.of(speed), [1]),
      })
      // The network's signature: its one output is a float tensor.
      return { samples: waveform?.data as Float32Array }
    },
  }
})
