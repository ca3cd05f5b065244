import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { LipikError } from '../../platform/errors.ts'
import { readShape, type WhisperShape } from './whisper-shape.ts'

const FRAMES = 200
const START_OF_TRANSCRIPT = 50_258

/**
 * Runs the prepared graphs once on two fixed sounds. A graph that was written wrong does not load, gives something that
 * is not a number, or says the same whatever it hears.
 */
export async function checkGraphs(modelDir: string, prepared: string): Promise<void> {
  const shape = readShape(JSON.parse(await readFile(join(modelDir, 'config.json'), 'utf8')))
  const tokens: number[] = JSON.parse(await readFile(join(prepared, 'tokens.json'), 'utf8'))
  const load = (name: string) => InferenceSession.create(join(prepared, name), { intraOpNumThreads: 1 })
  const encoder = await load('encoder.onnx')
  const start = tokens.indexOf(START_OF_TRANSCRIPT)
  const kinds = existsSync(join(prepared, 'plain-decoder.onnx')) ? ['', 'plain-'] : ['']
  for (const kind of kinds) {
    const sessions = { encoder, cross: await load(`${kind}cross.onnx`), decoder: await load(`${kind}decoder.onnx`) }
    await checkDecoder(sessions, shape, start, tokens.length)
  }
}

async function checkDecoder(sessions: Sessions, shape: WhisperShape, start: number, size: number): Promise<void> {
  const [low, high] = [await firstLogits(sessions, shape, start, 0.03), await firstLogits(sessions, shape, start, 0.4)]
  const isSane = low.length === size && low.every(Number.isFinite) && high.every(Number.isFinite)
  if (!isSane || low.every((value, at) => value === high[at])) {
    throw new LipikError(
      'model_unavailable',
      'the prepared model failed its self-check; delete its folder and start again',
    )
  }
}

type Sessions = Readonly<Record<'encoder' | 'cross' | 'decoder', InferenceSession>>

async function firstLogits(
  sessions: Sessions,
  shape: WhisperShape,
  start: number,
  pitch: number,
): Promise<Float32Array> {
  const mel = Float32Array.from({ length: shape.num_mel_bins * FRAMES }, (_, at) => Math.sin(at * pitch))
  const { hidden } = await sessions.encoder.run({ mel: new Tensor('float32', mel, [1, shape.num_mel_bins, FRAMES]) })
  const looked = await sessions.cross.run({ hidden: floats(hidden) })
  const heads = shape.decoder_attention_heads
  const empty = () => new Tensor('float32', new Float32Array(0), [1, heads, 0, shape.d_model / heads])
  const past = Object.fromEntries(
    Array.from(
      { length: shape.decoder_layers },
      (_, at) =>
        [
          [`past_key_${at}`, empty()],
          [`past_value_${at}`, empty()],
        ] as const,
    ).flat(),
  )
  const { logits } = await sessions.decoder.run({
    ...looked,
    ...past,
    ids: new Tensor('int64', BigInt64Array.of(BigInt(start)), [1, 1]),
    positions: new Tensor('int64', BigInt64Array.of(0n), [1, 1]),
    self_bias: new Tensor('float32', new Float32Array(1), [1, 1, 1, 1]),
    cross_bias: new Tensor('float32', new Float32Array(FRAMES / 2), [1, 1, 1, FRAMES / 2]),
  })
  const { data } = floats(logits)
  return data instanceof Float32Array ? data : new Float32Array(0)
}

function floats(tensor: Tensor | undefined): Tensor {
  if (tensor?.type !== 'float32') throw new LipikError('model_unavailable', 'the prepared model put out no numbers')
  return tensor
}
