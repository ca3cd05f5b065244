import { LipikError } from '../../platform/errors.ts'
import { ELEMENT, type OnnxGraph, type OnnxTensor } from '../onnx/onnx-proto.ts'
import type { Matrix } from '../onnx/quantise.ts'

/**
 * The parameters of an exported 8-bit Whisper, by the names they have in the published model. The export keeps linear
 * layers as unnamed transposed matrices; the names of the nodes that multiply by them tell which is which.
 */
export class WhisperWeights {
  readonly #tensors = new Map<string, OnnxTensor>()
  readonly #quantised = new Map<string, string>()

  constructor(graph: OnnxGraph, prefix: '' | 'model.encoder.') {
    for (const tensor of graph.initializer) this.#tensors.set(prefix + tensor.name.replace('_merged_0', ''), tensor)
    for (const each of graphsIn(graph)) this.#nameMatrices(each, prefix)
  }

  #nameMatrices(graph: OnnxGraph, prefix: string): void {
    for (const { opType, name, input } of graph.node) {
      const weights = input[1]
      if (opType !== 'MatMulInteger' || !name.endsWith('/MatMul_quant') || !weights?.endsWith('_quantized')) continue
      const layer = prefix + name.slice(1, -'/MatMul_quant'.length).replaceAll('/', '.')
      this.#quantised.set(layer, prefix + weights.slice(0, -'_quantized'.length).replace('_merged_0', ''))
    }
  }

  /** A linear layer's weights, one row for each output. */
  matrix(layer: string): Matrix {
    const { dims, values } = this.#dequantise(this.#quantised.get(layer) ?? `${layer}.weight`)
    return transpose(values, dims[0] ?? 0, dims[1] ?? 0)
  }

  /** The table of token vectors, one row for each token. */
  table(name: string): Matrix {
    const { dims, values } = this.#dequantise(name)
    return { rows: dims[0] ?? 0, columns: dims[1] ?? 0, values }
  }

  convolution(name: string): { readonly dims: readonly number[]; readonly values: Float32Array } {
    return this.#dequantise(name)
  }

  vector(name: string): Float32Array {
    return floatsOf(this.#tensor(name))
  }

  has(name: string): boolean {
    return this.#tensors.has(name)
  }

  #dequantise(name: string) {
    const stored = this.#tensor(`${name}_quantized`)
    const scale = floatsOf(this.#tensor(`${name}_scale`))[0] ?? 1
    const zero = bytesOf(this.#tensor(`${name}_zero_point`))[0] ?? 0
    const bytes = bytesOf(stored)
    const values = new Float32Array(bytes.length)
    for (let at = 0; at < values.length; at += 1) values[at] = ((bytes[at] ?? 0) - zero) * scale
    return { dims: stored.dims, values }
  }

  #tensor(name: string): OnnxTensor {
    const tensor = this.#tensors.get(name)
    if (!tensor) throw new LipikError('model_unavailable', `this model has no parameter ${name}: it cannot be prepared`)
    return tensor
  }
}

/** The graph and the branches inside it: the decoder's export holds its layers in two branches of one node. */
function graphsIn(graph: OnnxGraph): OnnxGraph[] {
  const inner = graph.node.flatMap(({ attribute }) => attribute.flatMap(({ g }) => (g ? graphsIn(g) : [])))
  return [graph, ...inner]
}

function floatsOf({ rawData, floatData }: OnnxTensor): Float32Array {
  if (!rawData?.length) return Float32Array.from(floatData ?? [])
  return new Float32Array(new Uint8Array(rawData).buffer)
}

/** Linear layers are stored as signed bytes, tables as unsigned ones. */
function bytesOf({ dataType, rawData, int32Data }: OnnxTensor): Int8Array | Uint8Array {
  const signed = dataType === ELEMENT.int8
  if (!rawData?.length) return signed ? Int8Array.from(int32Data ?? []) : Uint8Array.from(int32Data ?? [])
  return signed ? new Int8Array(rawData.buffer, rawData.byteOffset, rawData.byteLength) : rawData
}

function transpose(values: Float32Array, rows: number, columns: number): Matrix {
  const turned = new Float32Array(values.length)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1)
      turned[column * rows + row] = values[row * columns + column] ?? 0
  }
  return { rows: columns, columns: rows, values: turned }
}
