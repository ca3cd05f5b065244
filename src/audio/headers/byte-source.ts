import { type FileHandle, open } from 'node:fs/promises'
import { LipikError } from '../../platform/errors.ts'

const WINDOW_BYTES = 64 * 1024

/**
 * Header readers follow offsets written by whoever made the file. The allowance ends any walk such offsets can ask
 * for: a file whose headers need more is refused, whatever its size.
 */
const ALLOWANCE_BYTES = 32 * 1024 * 1024

/** Random access to a file for header readers, in a bounded number of bytes. */
export class ByteSource {
  readonly size: number
  readonly #handle: FileHandle
  #allowance = ALLOWANCE_BYTES
  #windowStart = 0
  #window: Buffer = Buffer.alloc(0)

  static async open(path: string): Promise<ByteSource> {
    const handle = await open(path, 'r')
    try {
      const { size } = await handle.stat()
      return new ByteSource(handle, size)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** The bytes at `offset`; fewer than `length` only at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (offset >= this.size || length <= 0) return Buffer.alloc(0)
    if (!this.#holds(offset, length)) await this.#fill(offset, Math.max(length, WINDOW_BYTES))
    const from = offset - this.#windowStart
    return this.#window.subarray(from, from + length)
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  #holds(offset: number, length: number): boolean {
    const end = Math.min(offset + length, this.size)
    return offset >= this.#windowStart && end <= this.#windowStart + this.#window.length
  }

  async #fill(offset: number, length: number): Promise<void> {
    this.#allowance -= length
    if (this.#allowance < 0) throw new LipikError('audio_corrupt', 'the headers of the audio file have no end')
    const window = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(window, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    this.#windowStart = offset
    this.#window = window.subarray(0, filled)
  }
}
