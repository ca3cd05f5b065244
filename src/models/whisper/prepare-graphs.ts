import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { decodeModel } from '../onnx/onnx-proto.ts'
import { NO_ADAPTER, readAdapter } from './adapter.ts'
import type { AdapterSource } from './adapter-folder.ts'
import { type AlignmentHead, buildCrossAttention, buildDecoder } from './decoder-graph.ts'
import { buildEncoder } from './encoder-graph.ts'
import { keptTokens } from './kept-tokens.ts'
import { readShape, type WhisperShape } from './whisper-shape.ts'
import { WhisperWeights } from './whisper-weights.ts'

export type PreparationOrder = {
  /** A published Whisper in its 8-bit ONNX layout. */
  readonly modelDir: string
  readonly adapter: AdapterSource
  /** The folder that is filled by the preparation. */
  readonly target: string
  /** What of it: the decoder with the adapter, the one without and all that both share, or a look at the whole. */
  readonly part: 'adapted' | 'plain' | 'check'
}

const TokenizerFile = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) })
const GenerationFile = z.object({ alignment_heads: z.array(z.tuple([z.int(), z.int()])).nullish() })

/** Builds the graphs the engine runs and says after each step how far it is, 0..1. */
export async function prepareGraphs(order: PreparationOrder, onProgress: (share: number) => void): Promise<void> {
  const source = (name: string) => join(order.modelDir, name)
  const write = (name: string, body: Uint8Array | string) => writeFile(join(order.target, name), body)
  const shape = readShape(JSON.parse(await readFile(source('config.json'), 'utf8')))
  const { model } = TokenizerFile.parse(JSON.parse(await readFile(source('tokenizer.json'), 'utf8')))
  const generation = GenerationFile.parse(JSON.parse(await readFile(source('generation_config.json'), 'utf8')))
  const isAdapted = order.part === 'adapted'
  const adapter = isAdapted
    ? readAdapter(await Promise.all(order.adapter.files.map((file) => readFile(file))))
    : NO_ADAPTER
  const kind = !isAdapted && order.adapter.files.length > 0 ? 'plain-' : ''
  onProgress(0.05)
  if (!isAdapted) await write('encoder.onnx', await encoderOf(order, shape))
  onProgress(0.3)
  const weights = new WhisperWeights(
    decodeModel(await readFile(source('onnx/decoder_model_merged_quantized.onnx'))),
    '',
  )
  const plan = {
    weights,
    shape,
    adapter,
    tokens: keptTokens(model.vocab, weights.table('model.decoder.embed_tokens.weight').rows),
    alignmentHeads: byLayer(generation.alignment_heads ?? []),
  }
  await write(`${kind}cross.onnx`, buildCrossAttention(plan))
  onProgress(0.5)
  await write(`${kind}decoder.onnx`, buildDecoder(plan))
  if (!isAdapted) await write('tokens.json', JSON.stringify(plan.tokens))
  onProgress(0.9)
}

async function encoderOf({ modelDir }: PreparationOrder, shape: WhisperShape): Promise<Uint8Array> {
  const published = decodeModel(await readFile(join(modelDir, 'onnx/encoder_model_quantized.onnx')))
  return buildEncoder(new WhisperWeights(published, 'model.encoder.'), shape)
}

/** The graph puts queries out layer by layer; who reads them sorts in the same way. */
const byLayer = (heads: readonly AlignmentHead[]): AlignmentHead[] => heads.toSorted(([a], [b]) => a - b)
