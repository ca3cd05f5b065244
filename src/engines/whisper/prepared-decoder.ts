import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { type Attention, headsTogether } from './cross-attention.ts'
import { KeyValueCache } from './key-value-cache.ts'
import type { Branch, WhisperDecoder } from './whisper-graph.ts'

export type DecoderShape = {
  readonly layers: number
  readonly heads: number
  readonly headSize: number
  /** In the order in which the graph puts out their queries. */
  readonly alignmentHeads: readonly (readonly [layer: number, head: number])[]
}

/** Far below any score, and still a number when added to one. */
const HIDDEN = -1e9

/** Runs `decoder.onnx`: what each row may look at is said by the two bias inputs. */
export class PreparedDecoder implements WhisperDecoder {
  readonly #session: InferenceSession
  readonly #shape: DecoderShape
  readonly #self: KeyValueCache
  /** Keys and values of the sound, by input name. */
  readonly #cross: Map<string, Float32Array>
  /** States each row has; what lies behind them is padding. */
  readonly #lengths: number[]
  readonly #states: number
  /** By the row a clip was started in: what its alignment heads asked for, token by token. */
  readonly #queries: Float32Array[][]
  /** The row each place was started in. */
  readonly #origins: number[]
  /** Keys of the alignment heads, of rows that are dropped. */
  readonly #keptKeys = new Map<number, readonly Float32Array[]>()
  #written = 0

  constructor(
    session: InferenceSession,
    shape: DecoderShape,
    cross: InferenceSession.OnnxValueMapType,
    lengths: readonly number[],
  ) {
    this.#session = session
    this.#shape = shape
    this.#lengths = [...lengths]
    this.#states = Math.max(...lengths)
    this.#self = new KeyValueCache(shape, lengths.length)
    this.#queries = lengths.map(() => [])
    this.#origins = [...lengths.keys()]
    // The cross-attention graph puts out float tensors under the names the decoder reads.
    this.#cross = new Map(Object.entries(cross).map(([name, value]) => [name, (value as Tensor).data as Float32Array]))
  }

  async step(places: readonly (readonly number[])[]): Promise<Float32Array> {
    const steps = places[0]?.length ?? 0
    const positions = places.flatMap((row) => row.map((_, i) => this.#written + i))
    return lastOfEach(await this.#run(steps, places.flat(), positions, this.#selfBias(steps)), places.length, steps)
  }

  async branch(rows: readonly (readonly Branch[])[]): Promise<Float32Array> {
    const branches = rows.flat()
    const places = branches.map(({ place }) => place)
    const positions = branches.map(({ position }) => position)
    return this.#run(rows[0]?.length ?? 0, places, positions, this.#treeBias(rows))
  }

  async #run(steps: number, ids: readonly number[], positions: readonly number[], selfBias: Tensor) {
    const feeds = {
      ids: this.#integers(ids, steps),
      positions: this.#integers(positions, steps),
      self_bias: selfBias,
      cross_bias: this.#crossBias(steps),
      ...this.#crossInputs(),
      ...this.#self.past(),
    }
    const asked = this.#shape.alignmentHeads.length > 0 ? { queries: null } : {}
    const { logits, queries } = await this.#session.run(feeds, { logits: null, ...asked, ...this.#self.present(steps) })
    this.#self.advance(steps)
    this.#written += steps
    if (queries) this.#remember(queries.data as Float32Array, steps)
    return logits?.data as Float32Array
  }

  attention(row: number, entries: readonly number[], states: number): Attention | undefined {
    const { alignmentHeads, headSize } = this.#shape
    const asked = entries.flatMap((entry) => this.#queries[row]?.[entry] ?? [])
    const keys = this.#keptKeys.get(row) ?? this.#alignmentKeys(this.#origins.indexOf(row))
    if (alignmentHeads.length === 0 || asked.length === 0) return undefined
    const heads = keys.map((own, at) => ({
      queries: asked.map((each) => each.subarray(at * headSize, (at + 1) * headSize)),
      keys: own,
    }))
    return headsTogether(heads, Math.min(states, (keys[0]?.length ?? 0) / headSize))
  }

  #remember(queries: Float32Array, steps: number): void {
    const size = queries.length / (this.#origins.length * steps)
    this.#origins.forEach((origin, place) => {
      for (let step = 0; step < steps; step++) {
        const from = (place * steps + step) * size
        this.#queries[origin]?.push(queries.slice(from, from + size))
      }
    })
  }

  /** By alignment head, of the states the row really has. */
  #alignmentKeys(place: number): Float32Array[] {
    const { alignmentHeads, heads, headSize } = this.#shape
    return alignmentHeads.map(([layer, head]) => {
      const from = (place * heads + head) * this.#states * headSize
      const length = (this.#lengths[place] ?? 0) * headSize
      return this.#cross.get(`cross_key_${layer}`)?.slice(from, from + length) ?? new Float32Array()
    })
  }

  drop(row: number): void {
    this.#keptKeys.set(this.#origins[row] ?? row, this.#alignmentKeys(row))
    this.#self.drop(row)
    const last = this.#lengths.length - 1
    const rowSize = this.#shape.heads * this.#states * this.#shape.headSize
    for (const [name, data] of this.#cross) {
      data.copyWithin(row * rowSize, last * rowSize, (last + 1) * rowSize)
      this.#cross.set(name, data.subarray(0, last * rowSize))
    }
    this.#lengths[row] = this.#lengths[last] ?? 0
    this.#lengths.pop()
    this.#origins[row] = this.#origins[last] ?? 0
    this.#origins.pop()
  }

  #integers(values: readonly number[], steps: number): Tensor {
    return new Tensor('int64', BigInt64Array.from(values, BigInt), [this.#lengths.length, steps])
  }

  #crossInputs(): Record<string, Tensor> {
    const dims = [this.#lengths.length, this.#shape.heads, this.#states, this.#shape.headSize]
    return Object.fromEntries([...this.#cross].map(([name, data]) => [name, new Tensor('float32', data, dims)]))
  }

  /** A token sees those before it and itself. */
  #selfBias(steps: number): Tensor {
    const seen = this.#written + steps
    const bias = new Float32Array(this.#lengths.length * steps * seen)
    for (let line = 0; line < this.#lengths.length * steps; line++) {
      bias.fill(HIDDEN, line * seen + this.#written + (line % steps) + 1, (line + 1) * seen)
    }
    return new Tensor('float32', bias, [this.#lengths.length, 1, steps, seen])
  }

  /** A branch sees what it grew from and itself, not its siblings. */
  #treeBias(rows: readonly (readonly Branch[])[]): Tensor {
    const steps = rows[0]?.length ?? 0
    const seen = this.#written + steps
    const bias = new Float32Array(rows.length * steps * seen).fill(HIDDEN)
    rows.flat().forEach(({ sees }, line) => {
      for (const entry of sees) bias[line * seen + entry] = 0
      bias[line * seen + this.#written + (line % steps)] = 0
    })
    return new Tensor('float32', bias, [rows.length, 1, steps, seen])
  }

  #crossBias(steps: number): Tensor {
    const bias = new Float32Array(this.#lengths.length * steps * this.#states)
    for (let line = 0; line < this.#lengths.length * steps; line++) {
      const heard = this.#lengths[Math.floor(line / steps)] ?? 0
      bias.fill(HIDDEN, line * this.#states + heard, (line + 1) * this.#states)
    }
    return new Tensor('float32', bias, [this.#lengths.length, 1, steps, this.#states])
  }
}

/** The graph says what may come after every token; a plain step asks for the last. */
function lastOfEach(logits: Float32Array, rows: number, steps: number): Float32Array {
  if (steps === 1) return logits
  const places = logits.length / (rows * steps)
  const last = new Float32Array(rows * places)
  for (let row = 0; row < rows; row += 1) {
    const from = ((row + 1) * steps - 1) * places
    last.set(logits.subarray(from, from + places), row * places)
  }
  return last
}
