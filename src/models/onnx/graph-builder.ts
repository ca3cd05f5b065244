import {
  ELEMENT,
  encodeModel,
  type OnnxAttribute,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from './onnx-proto.ts'
import { BLOCK, type QuantisedMatrix } from './quantise.ts'

export type Attributes = Readonly<Record<string, number | readonly number[]>>

/** Writes a graph node by node; each call returns the name of what the node puts out. */
export class GraphBuilder {
  readonly #nodes: OnnxNode[] = []
  readonly #tensors = new Map<string, OnnxTensor>()
  readonly #inputs: OnnxValue[] = []
  readonly #outputs: OnnxValue[] = []

  input(name: string, elementType: number, dims: readonly (number | string)[]): string {
    this.#inputs.push({ name, elementType, dims })
    return name
  }

  output(value: string, name: string, dims: readonly (number | string)[]): void {
    this.#nodes.push({ opType: 'Identity', name, input: [value], output: [name], attribute: [] })
    this.#outputs.push({ name, elementType: ELEMENT.float, dims })
  }

  floats(name: string, values: Float32Array, dims: readonly number[]): string {
    return this.#tensor(name, ELEMENT.float, values, dims)
  }

  bytes(name: string, values: Uint8Array, dims: readonly number[]): string {
    return this.#tensor(name, ELEMENT.uint8, values, dims)
  }

  scalar(value: number): string {
    return this.floats(`scalar_${value}`, Float32Array.of(value), [])
  }

  /** A list of whole numbers, as shapes, axes and indices are given. */
  integers(...values: readonly number[]): string {
    return this.#tensor(`integers_${values.join('_')}`, ELEMENT.int64, BigInt64Array.from(values, BigInt), [
      values.length,
    ])
  }

  node(opType: string, input: readonly string[], attributes: Attributes = {}, domain = ''): string {
    const [only = ''] = this.nodes(opType, input, 1, attributes, domain)
    return only
  }

  nodes(opType: string, input: readonly string[], outputs: number, attributes: Attributes = {}, domain = ''): string[] {
    const name = `${opType}_${this.#nodes.length}`
    const output = Array.from({ length: outputs }, (_, at) => (outputs === 1 ? name : `${name}_${at}`))
    const attribute = Object.entries(attributes).map(([key, value]) => toAttribute(key, value))
    this.#nodes.push({ opType, name, domain, input, output, attribute })
    return output
  }

  add(a: string, b: string): string {
    return this.node('Add', [a, b])
  }

  /** x · W (+ bias), the weights in 8 bits: rows of x are quantised on the fly, each in blocks of its own. */
  linear(x: string, name: string, weights: QuantisedMatrix, bias?: string): string {
    const { rows, columns, values, scales } = weights
    const blocks = columns / BLOCK
    const quantised = this.bytes(`${name}.quantised`, values, [rows, blocks, BLOCK])
    const scale = this.floats(`${name}.scales`, scales, [rows * blocks])
    const shape = { K: columns, N: rows, bits: 8, block_size: BLOCK, accuracy_level: 4 }
    const product = this.node('MatMulNBits', [x, quantised, scale], shape, 'com.microsoft')
    return bias === undefined ? product : this.add(product, bias)
  }

  encode(name: string): Uint8Array {
    return encodeModel({
      name,
      opsets: { '': 17, 'com.microsoft': 1 },
      inputs: this.#inputs,
      outputs: this.#outputs,
      nodes: this.#nodes,
      initializers: [...this.#tensors.values()],
    })
  }

  #tensor(name: string, dataType: number, values: ArrayBufferView, dims: readonly number[]): string {
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    this.#tensors.set(name, { name, dataType, dims, rawData })
    return name
  }
}

function toAttribute(name: string, value: number | readonly number[]): OnnxAttribute {
  if (typeof value !== 'number') return { name, type: 7, ints: value }
  return Number.isInteger(value) ? { name, type: 2, i: value } : { name, type: 1, f: value }
}
