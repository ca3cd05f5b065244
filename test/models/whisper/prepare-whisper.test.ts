import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WhisperFeatureExtractor } from '@huggingface/transformers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseWav } from '../../../src/audio/wav.ts'
import { prepareWhisper } from '../../../src/models/whisper/prepare-whisper.ts'
import { testModel } from '../../support/models.ts'
import { f32, safetensors } from '../../support/safetensors.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

const PROMPT = [50_258, 50_259, 50_359, 50_363]
const [LAYERS, HEADS, WIDTH, STATES, TOKENS] = [4, 6, 384, 200, 12]

/** Real speech, through the front end of another implementation: on noise every token is a close call. */
async function melOfSpeech(): Promise<Tensor> {
  const samples = parseWav(await readFile(fileURLToPath(new URL('../../fixtures/en-train.wav', import.meta.url))))
  const sizes = { feature_size: 80, sampling_rate: 16_000, hop_length: 160, chunk_length: 30, n_fft: 400 }
  const extractor = new WhisperFeatureExtractor({ ...sizes, n_samples: 480_000, nb_max_frames: 3000 })
  const { input_features: mel } = await extractor(samples)
  const frames = Array.from({ length: 80 }, (_, bin) => mel.data.slice(bin * 3000, bin * 3000 + 2 * STATES))
  return new Tensor('float32', Float32Array.from(frames.flatMap((row) => [...row])), [1, 80, 2 * STATES])
}

const longs = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
const zeros = (...dims: number[]) => new Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b)), dims)

/** Adds one to the first weight of a layer. */
function adapterOf(layer: string, [outputs, inputs]: readonly [number, number]): Uint8Array {
  const one = (length: number) => f32(...Array.from({ length }, (_, at) => (at === 0 ? 1 : 0)))
  return safetensors({
    [`${layer}.A`]: { dtype: 'F32', shape: [1, inputs], bytes: one(inputs) },
    [`${layer}.B`]: { dtype: 'F32', shape: [outputs, 1], bytes: one(outputs) },
  })
}

let folder: TemporaryFolder
let modelDir: string
let prepared: string
let hidden: Tensor

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  modelDir = (await testModel('whisper-tiny')).dir
  prepared = await prepareWhisper({ modelDir, preparedDir: folder.path })
  const encoder = await InferenceSession.create(join(prepared, 'encoder.onnx'))
  hidden = (await encoder.run({ mel: await melOfSpeech() })).hidden as Tensor
})
afterAll(() => folder.remove())

function best(logits: Float32Array, of: (at: number) => boolean): number {
  let top = -1
  for (let at = 0; at < logits.length; at += 1)
    if (of(at) && (top < 0 || (logits[at] ?? 0) > (logits[top] ?? 0))) top = at
  return top
}

/** What the published export writes after the prompt, choosing among the same tokens. */
async function exportSays(allowed: ReadonlySet<number>): Promise<number[]> {
  const session = await InferenceSession.create(join(modelDir, 'onnx/decoder_model_merged_quantized.onnx'))
  const names = session.inputNames.filter((name) => name.startsWith('past_key_values'))
  const feeds: Record<string, Tensor> = Object.fromEntries(
    names.map((name) => [name, zeros(1, HEADS, 0, WIDTH / HEADS)]),
  )
  Object.assign(feeds, {
    encoder_hidden_states: hidden,
    input_ids: longs(PROMPT),
    use_cache_branch: new Tensor('bool', [false], [1]),
  })
  const written: number[] = []
  while (written.length < TOKENS) {
    const result = await session.run(feeds)
    const logits = result.logits?.data as Float32Array
    const next = best(logits.subarray(logits.length - 51_865), (id) => id < 50_257 && allowed.has(id))
    for (const name of names) {
      const present = result[name.replace('past_key_values', 'present')]
      if (present && (written.length === 0 || name.includes('decoder'))) feeds[name] = present as Tensor
    }
    Object.assign(feeds, { input_ids: longs([next]), use_cache_branch: new Tensor('bool', [true], [1]) })
    written.push(next)
  }
  return written
}

async function preparedSays(ids: readonly number[]): Promise<number[]> {
  const cross = await InferenceSession.create(join(prepared, 'cross.onnx'))
  const decoder = await InferenceSession.create(join(prepared, 'decoder.onnx'))
  const feeds: Record<string, Tensor> = { ...((await cross.run({ hidden })) as Record<string, Tensor>) }
  for (let at = 0; at < LAYERS; at += 1)
    for (const kind of ['key', 'value']) feeds[`past_${kind}_${at}`] = zeros(1, HEADS, 0, WIDTH / HEADS)
  const written: number[] = []
  let steps = PROMPT.map((id) => ids.indexOf(id))
  let past = 0
  while (written.length < TOKENS) {
    const mask = zeros(1, 1, steps.length, past + steps.length)
    const bias = mask.data as Float32Array
    for (let row = 0; row < steps.length; row += 1)
      bias.fill(-1e9, row * (past + steps.length) + past + row + 1, (row + 1) * (past + steps.length))
    const positions = longs(steps.map((_, at) => past + at))
    const step = { ids: longs(steps), positions, self_bias: mask, cross_bias: zeros(1, 1, steps.length, STATES) }
    const result = await decoder.run({ ...feeds, ...step })
    const logits = result.logits?.data as Float32Array
    const next = best(logits.subarray(logits.length - ids.length), (at) => (ids[at] ?? 0) < 50_257)
    for (const name of Object.keys(feeds))
      if (name.startsWith('past_')) feeds[name] = result[name.replace('past', 'present')] as Tensor
    past += steps.length
    steps = [next]
    written.push(ids[next] ?? -1)
  }
  return written
}

describe('a prepared Whisper', () => {
  it('writes the same tokens as the export it was made from', async () => {
    const ids: number[] = JSON.parse(await readFile(join(prepared, 'tokens.json'), 'utf8'))
    const [ours, theirs] = [await preparedSays(ids), await exportSays(new Set(ids))]
    // The first token is a close call between "The" and "the", which the export's coarser arithmetic decides the other way.
    expect(ours.slice(1)).toEqual(theirs.slice(1))
    expect([440, 264]).toEqual(expect.arrayContaining([ours[0], theirs[0]]))
  })

  it('hears clips of any length', async () => {
    const encoder = await InferenceSession.create(join(prepared, 'encoder.onnx'))
    for (const frames of [100, 250, 3000]) {
      const { hidden: states } = await encoder.run({ mel: zeros(1, 80, frames) })
      expect(states?.dims).toEqual([1, frames / 2, WIDTH])
    }
  })

  it('is made once, and again for another adapter', async () => {
    expect(await prepareWhisper({ modelDir, preparedDir: folder.path, onProgress: () => expect.unreachable() })).toBe(
      prepared,
    )
    const adapterFile = join(folder.path, 'one-layer.safetensors')
    await writeFile(adapterFile, adapterOf('model.decoder.layers.0.fc1', [4 * WIDTH, WIDTH]))
    const progress: number[] = []
    const other = await prepareWhisper({
      modelDir,
      adapter: { files: [adapterFile], languages: ['hi'] },
      preparedDir: folder.path,
      onProgress: (share) => progress.push(share),
    })
    expect(other).not.toBe(prepared)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)
    const decoder = await readFile(join(prepared, 'decoder.onnx'))
    expect(decoder.equals(await readFile(join(other, 'decoder.onnx')))).toBe(false)
    expect(decoder.equals(await readFile(join(other, 'plain-decoder.onnx')))).toBe(true)
  })

  it('leaves nothing behind when the model is not what it should be', async () => {
    const broken = join(folder.path, 'broken')
    await mkdir(join(broken, 'onnx'), { recursive: true })
    for (const name of [
      'config.json',
      'tokenizer.json',
      'generation_config.json',
      'onnx/encoder_model_quantized.onnx',
    ]) {
      await cp(join(modelDir, name), join(broken, name))
    }
    await writeFile(join(broken, 'onnx/decoder_model_merged_quantized.onnx'), Buffer.from([0x3a, 0x00]))
    const preparedDir = join(folder.path, 'none')
    await expect(prepareWhisper({ modelDir: broken, preparedDir })).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(await readdir(preparedDir)).toEqual([])
  })
})
