/** How the decoding child talks: frames of a kind, a length and that many bytes. */
export const FRAME_HEADER_BYTES = 5
export const OUTPUT_FRAME = 1
export const EXIT_FRAME = 2

export function frameHeader(kind: number, length: number): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES)
  header.writeUInt8(kind, 0)
  header.writeUInt32LE(length, 1)
  return header
}

export type Frame = { readonly kind: number; readonly body: Buffer }

/** Puts frames together from pieces of any size. */
export class FrameAssembler {
  #pending: Buffer = Buffer.alloc(0)

  push(piece: Buffer): Frame[] {
    const frames: Frame[] = []
    this.#pending = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece])
    while (this.#pending.length >= FRAME_HEADER_BYTES) {
      const end = FRAME_HEADER_BYTES + this.#pending.readUInt32LE(1)
      if (this.#pending.length < end) break
      frames.push({ kind: this.#pending.readUInt8(0), body: this.#pending.subarray(FRAME_HEADER_BYTES, end) })
      this.#pending = this.#pending.subarray(end)
    }
    return frames
  }
}
