import { LipikError } from '../../platform/errors.ts'
import type { Matrix } from '../onnx/quantise.ts'

/** Low-rank corrections to some linear layers: weight += B · A. */
export type Adapter = ReadonlyMap<string, { readonly down: Matrix; readonly up: Matrix }>

export const NO_ADAPTER: Adapter = new Map()

type Entry = {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

/** Reads safetensors files that together hold `NAME.A` [rank, inputs] and `NAME.B` [outputs, rank] for each layer. */
export function readAdapter(files: readonly Uint8Array[]): Adapter {
  const tensors = new Map(files.flatMap(readTensors))
  const layers = [...tensors.keys()].filter((name) => name.endsWith('.A')).map((name) => name.slice(0, -2))
  return new Map(
    layers.map((layer) => {
      const [down, up] = [tensors.get(`${layer}.A`), tensors.get(`${layer}.B`)]
      if (!down || !up || down.rows !== up.columns) {
        throw new LipikError('model_unavailable', `the adapter's matrices of ${layer} do not fit each other`)
      }
      return [layer, { down, up }]
    }),
  )
}

function readTensors(file: Uint8Array): [string, Matrix][] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const headerBytes = Number(view.getBigUint64(0, true))
  if (headerBytes > file.byteLength) throw new LipikError('model_unavailable', 'the adapter is not a safetensors file')
  const header: Record<string, Entry> = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes)))
  return Object.entries(header)
    .filter(([name]) => name !== '__metadata__')
    .map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        const bytes = new Uint8Array(file.subarray(8 + headerBytes + from, 8 + headerBytes + to))
        return [name, { rows: shape[0] ?? 0, columns: shape[1] ?? 0, values: toFloats(dtype, bytes) }]
      },
    )
}

function toFloats(dtype: string, bytes: Uint8Array): Float32Array {
  if (dtype === 'F32') return new Float32Array(bytes.buffer)
  if (dtype === 'F16') {
    const halves = new Uint16Array(bytes.buffer)
    const floats = new Float32Array(halves.length)
    for (let at = 0; at < halves.length; at += 1) floats[at] = FLOAT_OF_HALF[halves[at] ?? 0] ?? 0
    return floats
  }
  throw new LipikError('model_unavailable', `adapters are F32 or F16, not ${dtype}`)
}

function halfToFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const FLOAT_OF_HALF = Float32Array.from({ length: 65_536 }, (_, half) => halfToFloat(half))

/** The layer's weights with its correction added, where the adapter has one. */
export function adapt(weights: Matrix, layer: string, adapter: Adapter): Matrix {
  const change = adapter.get(layer)
  if (!change) return weights
  const { down, up } = change
  if (up.rows !== weights.rows || down.columns !== weights.columns) {
    throw new LipikError('model_unavailable', `the adapter's ${layer} is of another size than the model's`)
  }
  const values = Float32Array.from(weights.values)
  const parts = rowsOf(down)
  for (let row = 0; row < weights.rows; row += 1) {
    addRows(values.subarray(row * weights.columns, (row + 1) * weights.columns), parts, up.values, row * up.columns)
  }
  return { ...weights, values }
}

type Row = Float32Array

/** Filled up with rows of zeros to a multiple of eight. */
function rowsOf({ rows, columns, values }: Matrix): Row[] {
  const none = new Float32Array(columns)
  return Array.from({ length: Math.ceil(rows / 8) * 8 }, (_, at) =>
    at < rows ? values.slice(at * columns, (at + 1) * columns) : none,
  )
}

/** target += the rows, each times its factor; eight in a pass, because one by one the target is read and written too often. */
function addRows(target: Float32Array, rows: readonly Row[], factors: Float32Array, offset: number): void {
  for (let from = 0; from < rows.length; from += 8) {
    // Every index is inside; behind the last factor stand rows of zeros.
    const [a, b, c, d, e, f, g, h] = rows.slice(from, from + 8) as [Row, Row, Row, Row, Row, Row, Row, Row]
    const factor = (at: number) => factors[offset + from + at] ?? 0
    const [fa, fb, fc, fd] = [factor(0), factor(1), factor(2), factor(3)]
    const [fe, ff, fg, fh] = [factor(4), factor(5), factor(6), factor(7)]
    for (let at = 0; at < target.length; at += 1) {
      const first = fa * (a[at] as number) + fb * (b[at] as number) + (fc * (c[at] as number) + fd * (d[at] as number))
      const second = fe * (e[at] as number) + ff * (f[at] as number) + (fg * (g[at] as number) + fh * (h[at] as number))
      target[at] = (target[at] as number) + (first + second)
    }
  }
}
