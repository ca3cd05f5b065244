export type StoredBlob = { readonly bytes: number; readonly sha256: string }

/** Both ends included, as in HTTP; they must lie inside the object. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Where audio objects live. Keys are slash-separated paths made by us, never by a client. */
export interface BlobStore {
  /**
   * Resolves only when the object is durable and its size and SHA-256 are what was sent; otherwise nothing is visible
   * under `key`. Writing the same key again replaces the object as a whole.
   */
  put(key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<StoredBlob>
  /** Streams the object, or a part of it; throws `blob_not_found` before the first byte, never half-way. */
  get(key: string, signal?: AbortSignal, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>
  /** Size of the object, or undefined when there is none. */
  head(key: string): Promise<{ readonly bytes: number } | undefined>
  /** Deleting what is not there is a success (false): a retry after a crash must be able to finish. */
  delete(key: string): Promise<boolean>
  /** Keys under `prefix`, in no promised order. */
  list(prefix: string): AsyncIterable<string>
  /** Rejects when the store cannot be written and read now; what the readiness check asks. */
  check(): Promise<void>
  close(): Promise<void>
}
