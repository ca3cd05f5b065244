const DATA = Buffer.from('data')
const CHANNELS_AT = 22
const LONGEST_HEADER_BYTES = 4096

/** Takes the header off ffmpeg's wav and learns the number of channels from it. */
export class WavStripper {
  #head: Buffer | undefined = Buffer.alloc(0)
  #channels: number | undefined

  get channels(): number | undefined {
    return this.#channels
  }

  push(piece: Buffer): Buffer {
    if (this.#head === undefined) return piece
    this.#head = Buffer.concat([this.#head, piece])
    const at = this.#head.subarray(0, LONGEST_HEADER_BYTES).indexOf(DATA)
    if (at < 0 || this.#head.length < at + 8) return Buffer.alloc(0)
    this.#channels = this.#head.readUInt16LE(CHANNELS_AT)
    const pcm = this.#head.subarray(at + 8)
    this.#head = undefined
    return pcm
  }
}
