import { Tensor } from 'onnxruntime-node'

const FIRST_CAPACITY_TOKENS = 64

type Shape = { readonly layers: number; readonly heads: number; readonly headSize: number }

/**
 * What the decoder remembers of its own tokens. The graph reads one buffer and writes the other, in turn, so that a step
 * allocates nothing; fresh outputs would be a hundred megabytes of garbage for every token of a batch.
 */
export class KeyValueCache {
  readonly #shape: Shape
  readonly #names: readonly string[]
  #past = new Map<string, Float32Array>()
  #next = new Map<string, Float32Array>()
  #rows: number
  #tokens = 0
  #capacity = 0

  constructor(shape: Shape, rows: number) {
    this.#shape = shape
    this.#names = Array.from({ length: shape.layers }, (_, layer) => [`key_${layer}`, `value_${layer}`]).flat()
    this.#rows = rows
  }

  past(): Record<string, Tensor> {
    return Object.fromEntries(this.#names.map((name) => [`past_${name}`, this.#view(this.#past, name, 0)]))
  }

  /** Where the graph writes the memory that includes the coming tokens. */
  present(steps: number): Record<string, Tensor> {
    if (this.#tokens + steps > this.#capacity) this.#grow()
    return Object.fromEntries(this.#names.map((name) => [`present_${name}`, this.#view(this.#next, name, steps)]))
  }

  advance(steps: number): void {
    const spare = this.#past
    this.#past = this.#next
    this.#next = spare
    this.#tokens += steps
  }

  drop(row: number): void {
    this.#rows--
    const rowSize = this.#rowSize(this.#tokens)
    for (const data of this.#past.values()) {
      data.copyWithin(row * rowSize, this.#rows * rowSize, (this.#rows + 1) * rowSize)
    }
  }

  #rowSize(tokens: number): number {
    return this.#shape.heads * tokens * this.#shape.headSize
  }

  #view(buffers: ReadonlyMap<string, Float32Array>, name: string, more: number): Tensor {
    const tokens = this.#tokens + more
    const data = buffers.get(name)?.subarray(0, this.#rows * this.#rowSize(tokens)) ?? new Float32Array()
    return new Tensor('float32', data, [this.#rows, this.#shape.heads, tokens, this.#shape.headSize])
  }

  #grow(): void {
    this.#capacity = Math.max(FIRST_CAPACITY_TOKENS, 2 * this.#capacity)
    const size = this.#rows * this.#rowSize(this.#capacity)
    const used = this.#rows * this.#rowSize(this.#tokens)
    for (const name of this.#names) {
      const grown = new Float32Array(size)
      const old = this.#past.get(name)
      if (old) grown.set(old.subarray(0, used))
      this.#past.set(name, grown)
      this.#next.set(name, new Float32Array(size))
    }
  }
}
