import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type File, Storage } from '@google-cloud/storage'
import { LipikError } from '../errors.ts'
import { checkBlobKey } from './blob-key.ts'
import type { BlobStore } from './blob-store.ts'
import { checkByRoundTrip } from './check-by-round-trip.ts'
import { MeasuredBody } from './measured-body.ts'
import { readStream } from './read-stream.ts'

/** Sent one after the other: a piece is all a writer holds in memory, and all it repeats when a request fails. */
const CHUNK_BYTES = 8 * 1024 * 1024

export type GcsSettings = {
  readonly bucket: string
  /** Put before every key; empty, or ends with a slash. */
  readonly prefix: string
  /** A stand-in of the service, spoken to without credentials. */
  readonly endpoint?: string | undefined
  readonly projectId?: string | undefined
}

export function createGcsBlobStore({ bucket: name, prefix: ours, endpoint, projectId }: GcsSettings): BlobStore {
  const storage = new Storage({
    ...(endpoint ? { apiEndpoint: endpoint } : {}),
    ...(projectId ? { projectId } : {}),
    retryOptions: { maxRetries: 2, totalTimeout: 60 },
  })
  const bucket = storage.bucket(name)
  const fileOf = (key: string): File => bucket.file(ours + checkBlobKey(key))
  const store: BlobStore = {
    async put(key, body, signal) {
      const measured = new MeasuredBody(body, signal)
      const file = fileOf(key)
      try {
        await write(file, measured, signal)
      } catch (error) {
        throw measured.blame(error, (each) => asStorageError(each, key))
      }
      const stored = measured.digest()
      if (Number(file.metadata.size) === stored.bytes) return stored
      throw new LipikError('storage_unavailable', 'storage holds another size than was sent')
    },
    async get(key, signal, range) {
      const part = range && { start: range.first, end: range.last }
      try {
        return await readStream(fileOf(key).createReadStream({ decompress: false, ...part }), signal)
      } catch (error) {
        throw signal?.aborted ? signal.reason : asStorageError(error, key)
      }
    },
    async head(key) {
      const answer = await fileOf(key)
        .getMetadata()
        .catch((error: unknown) => undefinedIfMissing(error, key))
      return answer && { bytes: Number(answer[0].size) }
    },
    async delete(key) {
      const answer = await fileOf(key)
        .delete()
        .catch((error: unknown) => undefinedIfMissing(error, key))
      return answer !== undefined
    },
    async *list(prefix) {
      const files: AsyncIterable<File> = bucket.getFilesStream({ prefix: ours + prefix })
      try {
        for await (const file of files) yield file.name.slice(ours.length)
      } catch (error) {
        throw asStorageError(error, prefix)
      }
    },
    check: () => checkByRoundTrip(store),
    close: async () => {},
  }
  return store
}

/** The client compares its CRC32C with the one the service took, and removes the object when they differ. */
async function write(file: File, body: MeasuredBody, signal?: AbortSignal): Promise<void> {
  const sink = file.createWriteStream({
    resumable: true,
    chunkSize: CHUNK_BYTES,
    validation: 'crc32c',
    contentType: 'application/octet-stream',
  })
  await pipeline(Readable.from(body, { objectMode: false }), sink, signal ? { signal } : {})
}

/** The client marks a missing object by the number 404, in its own error or in that of the request library below it. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 404 || error.code === '404')

function asStorageError(error: unknown, key: string): LipikError {
  if (error instanceof LipikError) return error
  if (isMissing(error)) return new LipikError('blob_not_found', `no object under ${key}`, { cause: error })
  return new LipikError('storage_unavailable', 'storage did not answer', { cause: error })
}

function undefinedIfMissing(error: unknown, key: string): undefined {
  if (!isMissing(error)) throw asStorageError(error, key)
}
