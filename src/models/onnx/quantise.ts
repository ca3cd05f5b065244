/** Weights share a scale in blocks of this many: fine enough to lose nothing that is heard, coarse enough to be fast. */
export const BLOCK = 128

/** One row for each output of a linear layer; values are 0..255 around 128. */
export type QuantisedMatrix = {
  readonly rows: number
  readonly columns: number
  readonly values: Uint8Array
  readonly scales: Float32Array
}

export type Matrix = { readonly rows: number; readonly columns: number; readonly values: Float32Array }

/** To 8 bits, with a scale of its own for each block of each row. */
export function quantise({ rows, columns, values }: Matrix): QuantisedMatrix {
  if (columns % BLOCK !== 0) throw new RangeError(`${columns} columns do not fill blocks of ${BLOCK}`)
  const quantised = new Uint8Array(values.length)
  const scales = new Float32Array(values.length / BLOCK)
  for (let block = 0; block < scales.length; block += 1) {
    const start = block * BLOCK
    let peak = 0
    for (let at = start; at < start + BLOCK; at += 1) peak = Math.max(peak, Math.abs(values[at] ?? 0))
    const scale = peak / 127 || 1
    scales[block] = scale
    for (let at = start; at < start + BLOCK; at += 1) quantised[at] = Math.round((values[at] ?? 0) / scale) + 128
  }
  return { rows, columns, values: quantised, scales }
}
