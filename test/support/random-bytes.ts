/** The same bytes for the same seed, everywhere (xorshift). */
export function randomBytes(seed: number, length: number): Buffer {
  const next = randomNumbers(seed)
  return Buffer.from(Uint8Array.from({ length }, () => next(256)))
}

/** Whole numbers below what is asked for, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}
