import type { AcceptedUpload, DeletedFiles, FilesPage, ListFilesQuery, StoredFile, UploadStatus } from './api-models.ts'
import type { Connection } from './connection.ts'
import { pause } from './retries.ts'
import { sendUpload } from './send-upload.ts'
import { toUploadProgress, type UploadProgress } from './upload-progress.ts'
import { toUploadSource, type UploadInput } from './upload-source.ts'

export type UploadOptions = {
  readonly onProgress?: (progress: UploadProgress) => void
  readonly signal?: AbortSignal
  /** Made for each upload unless given: a repeated try is then answered with the first one's answer. */
  readonly idempotencyKey?: string
}

export type WaitOptions<P> = { readonly onProgress?: (progress: P) => void; readonly signal?: AbortSignal }

const TELL_EVERY_MS = 100
const LOOK_FIRST_MS = 100
const LOOK_LATEST_MS = 2000

/** Audio files of the caller: sending, following, listing, deleting. */
export class FilesApi {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Sends files as one upload: all are accepted, or none. Bytes come from disk (a path) or a Blob, never all into memory. */
  async upload(files: UploadInput | readonly UploadInput[], options: UploadOptions = {}): Promise<AcceptedUpload> {
    const sources = await Promise.all((isList(files) ? files : [files]).map(toUploadSource))
    const { signal, idempotencyKey = crypto.randomUUID() } = options
    const tell = throttled((bytes) => options.onProgress?.(toUploadProgress(sources, bytes)))
    const connection = this.#connection
    const headers = { 'idempotency-key': idempotencyKey }
    const attempt = () => sendUpload({ connection, files: sources, headers, signal, onSent: tell.now })
    const answer = await connection.retrying(attempt, signal)
    tell.last()
    // As in Connection.json: the service validates its answers against the schemas of this type.
    return JSON.parse(answer) as AcceptedUpload
  }

  status(batchUploadId: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<UploadStatus> {
    return this.#connection.json(`/files/upload/${encodeURIComponent(batchUploadId)}`, { signal })
  }

  /** Resolves when every file of the upload has reached storage, or failed: only then can it be submitted. */
  async waitUntilStored(batchUploadId: string, options: WaitOptions<UploadStatus> = {}): Promise<UploadStatus> {
    for (let wait = LOOK_FIRST_MS; ; wait = Math.min(LOOK_LATEST_MS, wait * 1.5)) {
      const status = await this.status(batchUploadId, options)
      options.onProgress?.(status)
      if (status.status !== 'accepted') return status
      await pause(wait, options.signal)
    }
  }

  listPage(query: ListFilesQuery = {}, signal?: AbortSignal): Promise<FilesPage> {
    return this.#connection.json('/files', { query, signal })
  }

  /** All files, newest first; files that arrive meanwhile do not shift the list. */
  async *list(query: Omit<ListFilesQuery, 'page'> = {}, signal?: AbortSignal): AsyncGenerator<StoredFile> {
    let asOf = query.as_of
    for (let page = 1; ; page++) {
      const found = await this.listPage({ ...query, page, ...(asOf !== undefined && { as_of: asOf }) }, signal)
      yield* found.files
      if (page >= found.total_pages) return
      asOf ??= found.as_of
    }
  }

  /** The audio as it was uploaded; its body streams. */
  audio(fileId: string, signal?: AbortSignal): Promise<Response> {
    return this.#connection.open(`/files/${encodeURIComponent(fileId)}/audio`, { signal })
  }

  /** Deletes files with their objects, results and jobs: all of them, or none. */
  delete(fileIds: string | readonly string[], signal?: AbortSignal): Promise<DeletedFiles> {
    const json = { file_ids: [fileIds].flat() }
    return this.#connection.json('/files', { method: 'DELETE', json, signal })
  }
}

const isList = (files: UploadInput | readonly UploadInput[]): files is readonly UploadInput[] => Array.isArray(files)

/** Not at every packet; but the last is always told. */
function throttled(tell: (bytes: number) => void) {
  let toldMs = Number.NEGATIVE_INFINITY
  let latest = 0
  return {
    now(bytes: number) {
      latest = bytes
      if (performance.now() - toldMs < TELL_EVERY_MS) return
      toldMs = performance.now()
      tell(bytes)
    },
    last: () => tell(latest),
  }
}
