import { createHash } from 'node:crypto'
import type { StoredBlob } from './blob-store.ts'

/**
 * Takes the size and SHA-256 of a body while a store reads it, stops it when the caller gives up, and remembers what
 * the body itself threw, so that a broken source is not reported as a broken store.
 */
export class MeasuredBody {
  readonly #body: AsyncIterable<Uint8Array>
  readonly #signal: AbortSignal | undefined
  readonly #hash = createHash('sha256')
  #bytes = 0
  #failure: { readonly error: unknown } | undefined

  constructor(body: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    this.#body = body
    this.#signal = signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#body) {
        this.#signal?.throwIfAborted()
        this.#hash.update(chunk)
        this.#bytes += chunk.byteLength
        yield chunk
      }
      this.#signal?.throwIfAborted()
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What was read, once it was read to its end. */
  digest(): StoredBlob {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  /** The error to report when a write failed: the source's own, the caller's reason, or what the store's error means. */
  blame(error: unknown, ofStore: (error: unknown) => unknown): unknown {
    if (this.#failure) return this.#failure.error
    return this.#signal?.aborted ? this.#signal.reason : ofStore(error)
  }
}
