import type { GraphBuilder } from '../onnx/graph-builder.ts'
import { type Matrix, quantise } from '../onnx/quantise.ts'
import { type Adapter, adapt } from './adapter.ts'
import type { WhisperWeights } from './whisper-weights.ts'

/** What the layers of encoder and decoder are built from: one graph, the model's weights and the correction to them. */
export type Workshop = {
  readonly graph: GraphBuilder
  readonly weights: WhisperWeights
  readonly adapter: Adapter
  readonly heads: number
  readonly width: number
}

export function layerNorm({ graph, weights }: Workshop, x: string, name: string): string {
  const gain = weights.vector(`${name}.weight`)
  const inputs = [
    x,
    graph.floats(`${name}.weight`, gain, [gain.length]),
    graph.floats(`${name}.bias`, weights.vector(`${name}.bias`), [gain.length]),
  ]
  return graph.node('LayerNormalization', inputs, { axis: -1, epsilon: 1e-5 })
}

export function linear(shop: Workshop, x: string, name: string): string {
  const { graph } = shop
  const bias = biasOf(shop, name)
  return graph.linear(x, name, quantise(adapted(shop, name)), bias && graph.floats(`${name}.bias`, bias, [bias.length]))
}

/** Query, key and value of self-attention in one product. */
export function projectAll(shop: Workshop, x: string, name: string): [query: string, key: string, value: string] {
  const { graph, width } = shop
  const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${name}.${part}`)
  const bias = new Float32Array(3 * width)
  for (const [at, part] of parts.entries()) bias.set(biasOf(shop, part) ?? new Float32Array(width), at * width)
  const product = graph.linear(
    x,
    `${name}.qkv`,
    quantise(stack(parts.map((part) => adapted(shop, part)))),
    graph.floats(`${name}.qkv.bias`, bias, [bias.length]),
  )
  const [query = '', key = '', value = ''] = graph.nodes('Split', [product, graph.integers(width, width, width)], 3, {
    axis: -1,
  })
  return [query, key, value]
}

export function feedForward(shop: Workshop, x: string, layer: string): string {
  const normed = layerNorm(shop, x, `${layer}.final_layer_norm`)
  const hidden = shop.graph.node('Gelu', [linear(shop, normed, `${layer}.fc1`)], {}, 'com.microsoft')
  return shop.graph.add(x, linear(shop, hidden, `${layer}.fc2`))
}

const adapted = ({ weights, adapter }: Workshop, name: string): Matrix => adapt(weights.matrix(name), name, adapter)

const biasOf = ({ weights }: Workshop, name: string): Float32Array | undefined =>
  weights.has(`${name}.bias`) ? weights.vector(`${name}.bias`) : undefined

function stack(matrices: readonly Matrix[]): Matrix {
  const columns = matrices[0]?.columns ?? 0
  const rows = matrices.reduce((sum, matrix) => sum + matrix.rows, 0)
  const values = new Float32Array(rows * columns)
  let row = 0
  for (const matrix of matrices) {
    values.set(matrix.values, row * columns)
    row += matrix.rows
  }
  return { rows, columns, values }
}
