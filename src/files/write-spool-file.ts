import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { LipikError } from '../platform/errors.ts'

export type Spooled = { readonly bytes: number; readonly sha256: string }

export type SpoolLimits = {
  readonly maxBytes: number
  /** Asked again each time another 64 MiB have come. */
  ensureRoom(): Promise<void>
}

/** Collected before a write: one system call for many small chunks. */
const GATHER_BYTES = 512 * 1024
const CHECK_ROOM_BYTES = 64 * 1024 * 1024

/**
 * Writes a body to a new file, taking size and SHA-256 on the way. While one gathering is written the next one is read,
 * so the network and the disk work at the same time and two gatherings are all that is in memory.
 */
export async function writeSpoolFile(
  path: string,
  body: AsyncIterable<Buffer>,
  { maxBytes, ensureRoom }: SpoolLimits,
): Promise<Spooled> {
  const file = await open(path, 'wx', 0o600)
  const writer = new GatheringWriter(file)
  try {
    let nextCheck = CHECK_ROOM_BYTES
    for await (const chunk of body) {
      if (writer.bytes + chunk.length > maxBytes) throw tooLarge(maxBytes)
      if (writer.bytes > nextCheck) {
        nextCheck += CHECK_ROOM_BYTES
        await ensureRoom()
      }
      await writer.add(chunk)
    }
    return await writer.finish()
  } finally {
    await writer.settle()
    await file.close()
  }
}

class GatheringWriter {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #writing: Promise<void> = Promise.resolve()
  bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async add(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.length
    if (this.#gatheredBytes >= GATHER_BYTES) await this.#flush()
  }

  async finish(): Promise<Spooled> {
    await this.#flush()
    await this.#writing
    // Not synced: the process may die, and the kernel still has it. A power cut in the seconds before storage has its
    // durable copy is found by the SHA-256, and shown as a failed upload.
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }

  /** A write still under way must end before the file is closed; its error was or will be seen by `add` or `finish`. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {})
  }

  async #flush(): Promise<void> {
    const chunks = this.#gathered
    this.#gathered = []
    this.#gatheredBytes = 0
    await this.#writing
    this.#writing = this.#write(chunks)
    this.#writing.catch(() => {})
    for (const chunk of chunks) this.#hash.update(chunk)
  }

  async #write(chunks: readonly Buffer[]): Promise<void> {
    if (chunks.length === 0) return
    const all = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    const { bytesWritten } = await this.#file.writev(chunks)
    // A disk that fills up takes less than it was given before it says so.
    if (bytesWritten < all) throw Object.assign(new Error('the disk took only a part'), { code: 'ENOSPC' })
  }
}

const tooLarge = (maxBytes: number) =>
  new LipikError('too_large', `a file may have at most ${maxBytes} bytes`, { details: { max_file_bytes: maxBytes } })
