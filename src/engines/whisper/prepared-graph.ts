import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { LipikError } from '../../platform/errors.ts'
import { type DecoderShape, PreparedDecoder } from './prepared-decoder.ts'
import type { WhisperGraph } from './whisper-graph.ts'

const ConfigFile = z.object({
  d_model: z.number().int(),
  decoder_layers: z.number().int(),
  decoder_attention_heads: z.number().int(),
  num_mel_bins: z.number().int(),
  max_source_positions: z.number().int(),
  max_target_positions: z.number().int(),
})
const GenerationFile = z.object({ alignment_heads: z.array(z.tuple([z.int(), z.int()])).nullish() })
const TokensFile = z.array(z.number().int())

/** The model with its adapter, and as it was published; the same where it has none. */
export type PreparedModel = { readonly adapted: WhisperGraph; readonly plain: WhisperGraph }

/** Opens what `prepareWhisper` made. */
export async function openPreparedModel(folder: string, threads: number): Promise<PreparedModel> {
  const config = ConfigFile.parse(await readJson(folder, 'config.json'))
  const { alignment_heads: alignmentHeads } = GenerationFile.parse(await readJson(folder, 'generation_config.json'))
  const tokensOfPlaces = Int32Array.from(TokensFile.parse(await readJson(folder, 'tokens.json')))
  const open = (name: string) => InferenceSession.create(join(folder, name), sessionOptions(threads))
  const openDecoder = async (kind: '' | 'plain-') => ({
    cross: await open(`${kind}cross.onnx`),
    decoder: await open(`${kind}decoder.onnx`),
  })
  const encoder = await open('encoder.onnx')
  const shape: DecoderShape = {
    layers: config.decoder_layers,
    heads: config.decoder_attention_heads,
    headSize: config.d_model / config.decoder_attention_heads,
    alignmentHeads: (alignmentHeads ?? []).toSorted(([a], [b]) => a - b),
  }
  const graphWith = (decoder: () => ReturnType<typeof openDecoder>): WhisperGraph => ({
    melBands: config.num_mel_bins,
    maxFrames: 2 * config.max_source_positions,
    maxTokens: config.max_target_positions,
    stateSize: config.d_model,
    tokensOfPlaces,
    async encode(mel, frames) {
      const { hidden } = await encoder.run({ mel: new Tensor('float32', mel, [1, config.num_mel_bins, frames]) })
      // The graph's only output, a float tensor.
      return hidden?.data as Float32Array
    },
    async startDecoder(states) {
      const lengths = states.map((each) => each.length / config.d_model)
      const hidden = padded(states, Math.max(...lengths) * config.d_model)
      const dims = [states.length, Math.max(...lengths), config.d_model]
      const sessions = await decoder()
      const looked = await sessions.cross.run({ hidden: new Tensor('float32', hidden, dims) })
      return new PreparedDecoder(sessions.decoder, shape, looked, lengths)
    },
  })
  const first = openDecoder('')
  await first
  const adapted = graphWith(() => first)
  if (!existsSync(join(folder, 'plain-decoder.onnx'))) return { adapted, plain: adapted }
  // Seldom asked for, and as large again: opened by the first clip that needs it.
  let second: ReturnType<typeof openDecoder> | undefined
  return {
    adapted,
    plain: graphWith(() => {
      second ??= openDecoder('plain-')
      return second
    }),
  }
}

/**
 * No arena: it never gives memory back and grows with each new shape. The process is started with allocator settings that
 * reuse large blocks, which is as fast. Threads that wait do not spin: on a busy machine that only steals the work.
 */
const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
})

function padded(rows: readonly Float32Array[], size: number): Float32Array {
  const all = new Float32Array(rows.length * size)
  rows.forEach((row, i) => {
    all.set(row, i * size)
  })
  return all
}

async function readJson(folder: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8'))
  } catch (error) {
    throw new LipikError('model_unavailable', `cannot read ${name} in ${folder}: is the model prepared?`, {
      cause: error,
    })
  }
}
