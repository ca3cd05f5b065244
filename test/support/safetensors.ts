/** A safetensors file as the format says: length of the header, the header, the numbers. */
export function safetensors(
  tensors: Record<string, { dtype: string; shape: number[]; bytes: Uint8Array }>,
): Uint8Array {
  let offset = 0
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
      const entry = { dtype, shape, data_offsets: [offset, offset + bytes.length] }
      offset += bytes.length
      return [name, entry]
    }),
  )
  const text = new TextEncoder().encode(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }))
  const length = new Uint8Array(new BigUint64Array([BigInt(text.length)]).buffer)
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)])
}

export const f32 = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
