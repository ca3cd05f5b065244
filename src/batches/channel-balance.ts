/** A byte for each value: which side of a telephone call speaks needs no more. */
const STEPS = 100

export const packBalance = (balance: Float32Array): Buffer =>
  Buffer.from(Int8Array.from(balance, (side) => Math.round(side * STEPS)).buffer)

export const unpackBalance = (packed: Uint8Array): Float32Array =>
  Float32Array.from(packed, (byte) => ((byte << 24) >> 24) / STEPS)
