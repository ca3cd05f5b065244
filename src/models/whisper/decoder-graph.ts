import { GraphBuilder } from '../onnx/graph-builder.ts'
import { ELEMENT } from '../onnx/onnx-proto.ts'
import { BLOCK, type QuantisedMatrix, quantise } from '../onnx/quantise.ts'
import type { Adapter } from './adapter.ts'
import { feedForward, layerNorm, linear, projectAll, type Workshop } from './transformer-layer.ts'
import type { WhisperShape } from './whisper-shape.ts'
import type { WhisperWeights } from './whisper-weights.ts'

export type DecoderPlan = {
  readonly weights: WhisperWeights
  readonly shape: WhisperShape
  readonly adapter: Adapter
  /** The tokens that may be written, by their numbers in the published vocabulary; the graph counts them from zero. */
  readonly tokens: readonly number[]
  /** Layer and head of the cross-attention that follows the sound while a text is written; none: times cannot be read. */
  readonly alignmentHeads: readonly AlignmentHead[]
}

export type AlignmentHead = readonly [layer: number, head: number]

const HEAD = 64

/** Hidden states of a clip → the keys and values each decoder layer looks up; once a clip, not once a token. */
export function buildCrossAttention({ weights, shape, adapter }: DecoderPlan): Uint8Array {
  const graph = new GraphBuilder()
  const shop = workshop(graph, weights, shape, adapter)
  const hidden = graph.input('hidden', ELEMENT.float, ['batch', 'states', shop.width])
  for (let layer = 0; layer < shape.decoder_layers; layer += 1) {
    const name = `model.decoder.layers.${layer}.encoder_attn`
    const dims = ['batch', shop.heads, 'states', HEAD]
    graph.output(byHead(shop, linear(shop, hidden, `${name}.k_proj`)), `cross_key_${layer}`, dims)
    graph.output(byHead(shop, linear(shop, hidden, `${name}.v_proj`)), `cross_value_${layer}`, dims)
  }
  return graph.encode('whisper-cross-attention')
}

/** Tokens and the keys and values of those before them → what may come after each. One plain graph for first and later steps. */
export function buildDecoder({ weights, shape, adapter, tokens, alignmentHeads }: DecoderPlan): Uint8Array {
  const graph = new GraphBuilder()
  const shop = workshop(graph, weights, shape, adapter)
  const table = quantise(rowsOf(weights.table('model.decoder.embed_tokens.weight'), tokens))
  const ids = graph.input('ids', ELEMENT.int64, ['batch', 'steps'])
  const places = graph.input('positions', ELEMENT.int64, ['batch', 'steps'])
  graph.input('self_bias', ELEMENT.float, ['batch', 1, 'steps', 'past_and_steps'])
  graph.input('cross_bias', ELEMENT.float, ['batch', 1, 'steps', 'states'])
  let x = graph.add(embed(graph, ids, table), place(shop, places, shape))
  const asked: string[] = []
  for (let layer = 0; layer < shape.decoder_layers; layer += 1) {
    const step = decoderLayer(shop, x, layer)
    asked.push(...alignmentHeads.filter(([at]) => at === layer).map(([, head]) => sliceHead(graph, step.query, head)))
    x = step.x
  }
  if (asked.length > 0) {
    graph.output(graph.node('Concat', asked, { axis: -1 }), 'queries', ['batch', 'steps', asked.length * HEAD])
  }
  const written = layerNorm(shop, x, 'model.decoder.layer_norm')
  graph.output(graph.linear(written, 'tokens', table), 'logits', ['batch', 'steps', table.rows])
  return graph.encode('whisper-decoder')
}

const workshop = (graph: GraphBuilder, weights: WhisperWeights, shape: WhisperShape, adapter: Adapter): Workshop => ({
  graph,
  weights,
  adapter,
  heads: shape.decoder_attention_heads,
  width: shape.d_model,
})

const byHead = ({ graph, heads }: Workshop, x: string): string =>
  graph.node('Transpose', [graph.node('Reshape', [x, graph.integers(0, 0, heads, HEAD)])], { perm: [0, 2, 1, 3] })

function rowsOf(table: { readonly columns: number; readonly values: Float32Array }, rows: readonly number[]) {
  const { columns } = table
  const values = new Float32Array(rows.length * columns)
  for (const [at, row] of rows.entries())
    values.set(table.values.subarray(row * columns, (row + 1) * columns), at * columns)
  return { rows: rows.length, columns, values }
}

/** Token vectors are rows of the same 8-bit table that writes the tokens. */
function embed(graph: GraphBuilder, ids: string, table: QuantisedMatrix): string {
  const blocks = table.columns / BLOCK
  const values = graph.bytes('tokens.quantised', table.values, [table.rows, blocks, BLOCK])
  const scales = graph.floats('tokens.rows', table.scales, [table.rows, blocks, 1])
  const bytes = graph.node('Cast', [graph.node('Gather', [values, ids], { axis: 0 })], { to: ELEMENT.float })
  const centred = graph.node('Sub', [bytes, graph.scalar(128)])
  const scaled = graph.node('Mul', [centred, graph.node('Gather', [scales, ids], { axis: 0 })])
  return graph.node('Reshape', [scaled, graph.integers(0, 0, table.columns)])
}

function place({ graph, weights, width }: Workshop, places: string, shape: WhisperShape): string {
  const table = weights.vector('model.decoder.embed_positions.weight')
  return graph.node('Gather', [graph.floats('places', table, [shape.max_target_positions, width]), places], { axis: 0 })
}

/** What a head asks the sound for; with the keys of the sound it gives where the head looks. */
const sliceHead = (graph: GraphBuilder, query: string, head: number): string =>
  graph.node('Slice', [query, graph.integers(head * HEAD), graph.integers((head + 1) * HEAD), graph.integers(2)])

function decoderLayer(shop: Workshop, x: string, at: number): { readonly x: string; readonly query: string } {
  const layer = `model.decoder.layers.${at}`
  const heard = crossAttention(shop, selfAttention(shop, x, layer, at), layer, at)
  return { x: feedForward(shop, heard.x, layer), query: heard.query }
}

function selfAttention(shop: Workshop, x: string, layer: string, at: number): string {
  const { graph, heads } = shop
  const [query, key, value] = projectAll(
    shop,
    layerNorm(shop, x, `${layer}.self_attn_layer_norm`),
    `${layer}.self_attn`,
  )
  const dims = ['batch', heads, 'past', HEAD]
  const past = [
    graph.input(`past_key_${at}`, ELEMENT.float, dims),
    graph.input(`past_value_${at}`, ELEMENT.float, dims),
  ]
  const inputs = [query, key, value, '', '', 'self_bias', ...past]
  const [heard = '', keys = '', values = ''] = graph.nodes(
    'MultiHeadAttention',
    inputs,
    3,
    { num_heads: heads },
    'com.microsoft',
  )
  graph.output(keys, `present_key_${at}`, ['batch', heads, 'past_and_steps', HEAD])
  graph.output(values, `present_value_${at}`, ['batch', heads, 'past_and_steps', HEAD])
  return graph.add(x, linear(shop, heard, `${layer}.self_attn.out_proj`))
}

function crossAttention(shop: Workshop, x: string, layer: string, at: number) {
  const { graph, heads } = shop
  const query = linear(shop, layerNorm(shop, x, `${layer}.encoder_attn_layer_norm`), `${layer}.encoder_attn.q_proj`)
  const dims = ['batch', heads, 'states', HEAD]
  const looked = [
    graph.input(`cross_key_${at}`, ELEMENT.float, dims),
    graph.input(`cross_value_${at}`, ELEMENT.float, dims),
  ]
  const inputs = [query, ...looked, '', '', 'cross_bias']
  const heard = graph.node('MultiHeadAttention', inputs, { num_heads: heads }, 'com.microsoft')
  return { x: graph.add(x, linear(shop, heard, `${layer}.encoder_attn.out_proj`)), query }
}
