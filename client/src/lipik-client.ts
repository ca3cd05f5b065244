import type { BatchProgress, FileResult, Submission } from './api-models.ts'
import { BatchesApi } from './batches-api.ts'
import { Connection, type LipikOptions } from './connection.ts'
import { LipikApiError } from './failures.ts'
import { FilesApi, type UploadOptions } from './files-api.ts'
import { RealtimeApi } from './realtime/realtime-api.ts'
import { ResultsApi } from './results-api.ts'
import type { UploadInput } from './upload-source.ts'

export type TranscribeOptions = Pick<Submission, 'language' | 'script' | 'tags' | 'webhook_url' | 'webhook_secret'> & {
  readonly onUpload?: NonNullable<UploadOptions['onProgress']>
  readonly onProgress?: (progress: BatchProgress) => void
  /** Segments with speakers, tones, times and words as well. */
  readonly speechInformation?: boolean
  readonly signal?: AbortSignal
}

/** A service, seen by one user. */
export class LipikClient {
  readonly files: FilesApi
  readonly batches: BatchesApi
  readonly results: ResultsApi
  readonly realtime: RealtimeApi

  constructor(options: LipikOptions) {
    const connection = new Connection(options)
    this.files = new FilesApi(connection)
    this.batches = new BatchesApi(connection)
    this.results = new ResultsApi(connection)
    this.realtime = new RealtimeApi(connection)
  }

  /** From recordings to transcripts in one go: uploads, submits, waits, and gives each file's result. */
  async *transcribe(
    files: UploadInput | readonly UploadInput[],
    options: TranscribeOptions = {},
  ): AsyncGenerator<FileResult> {
    const { onUpload, onProgress, speechInformation = false, signal, ...wishes } = options
    const stop = signal ? { signal } : {}
    const upload = await this.files.upload(files, { ...stop, ...(onUpload && { onProgress: onUpload }) })
    const stored = await this.files.waitUntilStored(upload.batch_upload_id, stop)
    if (stored.status === 'failed') throw new LipikApiError(503, 'no file of the upload reached storage')
    const submission = { batch_upload_id: upload.batch_upload_id, ...wishes }
    const { batch_id } = await this.batches.submit(submission, stop)
    await this.batches.wait(batch_id, { ...stop, ...(onProgress && { onProgress }) })
    yield* this.batches.download(batch_id, { speech_information: speechInformation }, signal)
  }
}
