import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { openPreparedModel } from '../src/engines/whisper/prepared-graph.ts'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { ensureModels } from '../src/models/ensure-models.ts'
import { prepareWhisper } from '../src/models/whisper/prepare-whisper.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'

const MODEL = 'whisper-small'
/** Eight seconds of speech. */
const STATES = 400
const WIDTH = 768
const LAYERS = 12
const HEADS = 12
const BATCHES = [1, 4, 8]
const STEPS = 10
const START = 50_258
const THREADS = 1

/** One more token of every clip in a batch: the published decoder beside the prepared one. */
export const bench: Bench = async (say) => {
  const modelsDir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
  const { [MODEL]: model } = await ensureModels([MODEL], { dir: modelsDir })
  if (!model) throw new Error(`${MODEL} is not to be had`)
  const startMs = performance.now()
  const folder = await prepareWhisper({ modelDir: model.dir, preparedDir: join(modelsDir, 'prepared') })
  say(`preparation, or finding it done: ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  const figures: Figure[] = []
  for (const rows of BATCHES) {
    const prepared = await preparedSteps(folder, rows)
    const published = await publishedSteps(join(model.dir, 'onnx/decoder_model_merged_quantized.onnx'), rows)
    const baseline = `${median(published).toFixed(0)} ms of the published decoder`
    const value = median(prepared)
    const ratio = value / median(published)
    figures.push({ name: `decoder step, batch ${rows}`, value, unit: 'ms', baseline, ratio, spread: spread(prepared) })
    say(`batch ${rows}: ${(1 / ratio).toFixed(2)} times as fast`)
  }
  return figures
}

const hiddenStates = (seed: number): Float32Array =>
  Float32Array.from({ length: STATES * WIDTH }, (_, at) => Math.sin((at + 1) * (0.37 + seed * 0.01)))

async function preparedSteps(folder: string, rows: number): Promise<number[]> {
  const { adapted: graph } = await openPreparedModel(folder, THREADS)
  const decoder = await graph.startDecoder(Array.from({ length: rows }, (_, row) => hiddenStates(row)))
  const start = graph.tokensOfPlaces.indexOf(START)
  return timed(() => decoder.step(Array.from({ length: rows }, () => [start])))
}

async function publishedSteps(path: string, rows: number): Promise<number[]> {
  const session = await InferenceSession.create(path, { intraOpNumThreads: THREADS, enableCpuMemArena: false })
  const hidden = Float32Array.from({ length: rows * STATES * WIDTH }, (_, at) => Math.sin((at + 1) * 0.37))
  const empty = new Tensor('float32', new Float32Array(0), [rows, HEADS, 0, WIDTH / HEADS])
  let past = Object.fromEntries(
    layerNames('past_key_values').map((name): [string, InferenceSession.OnnxValueMapType[string]] => [name, empty]),
  )
  const run = async (isFirst: boolean) => {
    const outputs = ['logits', ...layerNames('present').filter((name) => isFirst || !name.includes('encoder'))]
    const present = await session.run(
      {
        input_ids: new Tensor('int64', new BigInt64Array(rows).fill(BigInt(START)), [rows, 1]),
        encoder_hidden_states: new Tensor('float32', hidden, [rows, STATES, WIDTH]),
        use_cache_branch: new Tensor('bool', [!isFirst], [1]),
        ...past,
      },
      outputs,
    )
    const kept = Object.entries(present).filter(([name]) => name !== 'logits')
    past = {
      ...past,
      ...Object.fromEntries(kept.map(([name, value]) => [name.replace('present', 'past_key_values'), value])),
    }
  }
  await run(true)
  const times = await timed(() => run(false))
  await session.release()
  return times
}

const layerNames = (prefix: string): string[] =>
  Array.from({ length: LAYERS }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `${prefix}.${layer}.${part}`),
  ).flat()

async function timed(step: () => Promise<unknown>): Promise<number[]> {
  await step()
  const times: number[] = []
  for (let at = 0; at < STEPS; at += 1) {
    const startMs = performance.now()
    await step()
    times.push(performance.now() - startMs)
  }
  return times
}
