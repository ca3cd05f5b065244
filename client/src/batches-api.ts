import type {
  BatchesPage,
  BatchProgress,
  ChangedBatch,
  DownloadQuery,
  FileResult,
  JobRecord,
  JobsPage,
  ListBatchesQuery,
  ResultsPage,
  ResultsQuery,
  Submission,
  SubmittedBatch,
} from './api-models.ts'
import { broken, type Connection } from './connection.ts'
import { LipikConnectionError } from './failures.ts'
import type { WaitOptions } from './files-api.ts'
import { readLines, readPieces } from './read-lines.ts'
import { toEvents } from './server-sent-events.ts'

export type SubmitOptions = { readonly idempotencyKey?: string; readonly signal?: AbortSignal }

const LONG_POLL_SECONDS = 30
const MOST_PER_PAGE = 200

/** Batches of the caller: submitting, following, changing, reading. */
export class BatchesApi {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  submit(submission: Submission, options: SubmitOptions = {}): Promise<SubmittedBatch> {
    const { signal, idempotencyKey = crypto.randomUUID() } = options
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#connection.json('/transcribe/batch', { method: 'POST', json: submission, headers, signal })
  }

  status(batchId: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<BatchProgress> {
    return this.#connection.json(statusPath(batchId), { signal })
  }

  /** Resolves when the batch has ended, well or badly. */
  async wait(batchId: string, { onProgress, signal }: WaitOptions<BatchProgress> = {}): Promise<BatchProgress> {
    for (let wait = 0; ; wait = LONG_POLL_SECONDS) {
      const progress = await this.#connection.json<BatchProgress>(statusPath(batchId), { query: { wait }, signal })
      onProgress?.(progress)
      if (progress.finished_at !== null) return progress
    }
  }

  /** How far the batch is, at once and at each change, until it has ended. A broken connection is made anew. */
  async *events(batchId: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<BatchProgress> {
    let last = ''
    for (;;) {
      try {
        for await (const { event, data } of this.#stream(batchId, signal)) {
          if (data !== last) yield parse<BatchProgress>(data)
          last = data
          if (event === 'end') return
        }
      } catch (error) {
        if (!(error instanceof LipikConnectionError)) throw error
      }
      // The stream broke after it had begun: status says whether there is anything left to hear, or that nobody answers.
      const now = await this.status(batchId, signal ? { signal } : {})
      if (now.finished_at !== null) return yield now
    }
  }

  async *#stream(batchId: string, signal: AbortSignal | undefined) {
    const path = `${statusPath(batchId)}/events`
    const response = await this.#connection.open(path, { headers: { accept: 'text/event-stream' }, signal })
    yield* toEvents(readLines(bodyOf(response, path, signal)))
  }

  /** Ends every file that has not ended; they fail with the code `cancelled`. */
  cancel(batchId: string, signal?: AbortSignal): Promise<ChangedBatch> {
    return this.#connection.json(`${batchPath(batchId)}/cancel`, { method: 'POST', signal })
  }

  /** Transcribes the failed and partial files again. */
  retry(batchId: string, signal?: AbortSignal): Promise<ChangedBatch> {
    return this.#connection.json(`${batchPath(batchId)}/retry`, { method: 'POST', signal })
  }

  /** Deletes the batch with its results, unfinished ones too; its files stay. */
  delete(batchId: string, signal?: AbortSignal): Promise<ChangedBatch> {
    return this.#connection.json(batchPath(batchId), { method: 'DELETE', signal })
  }

  /** The caller's batches, newest first. */
  listPage(query: ListBatchesQuery = {}, signal?: AbortSignal): Promise<BatchesPage> {
    return this.#connection.json('/transcribe/batches', { query, signal })
  }

  resultsPage(batchId: string, query: ResultsQuery = {}, signal?: AbortSignal): Promise<ResultsPage> {
    return this.#connection.json(resultsPath(batchId), { query, signal })
  }

  jobsPage(batchId: string, query: ResultsQuery = {}, signal?: AbortSignal): Promise<JobsPage> {
    return this.#connection.json(resultsPath(batchId), { query: { ...query, raw: true }, signal })
  }

  /** Every file of the batch in the order of submission, read page by page as you go. */
  async *results(
    batchId: string,
    query: Omit<ResultsQuery, 'page'> = {},
    signal?: AbortSignal,
  ): AsyncGenerator<FileResult> {
    for (let page = 1; ; page++) {
      const found = await this.resultsPage(batchId, { limit: MOST_PER_PAGE, ...query, page }, signal)
      yield* found.files
      if (page >= found.total_pages) return
    }
  }

  /** Every file of the batch as one stream: quickest for many. Throws where the stream breaks, so what ends is whole. */
  download(batchId: string, query: DownloadQuery = {}, signal?: AbortSignal): AsyncGenerator<FileResult> {
    return this.#download<FileResult>(batchId, { ...query, raw: false }, signal)
  }

  /** The same with one record for each job. */
  downloadJobs(batchId: string, query: DownloadQuery = {}, signal?: AbortSignal): AsyncGenerator<JobRecord> {
    return this.#download<JobRecord>(batchId, { ...query, raw: true }, signal)
  }

  /** The download as the service sends it, to be written to a file. */
  async downloadStream(
    batchId: string,
    query: DownloadQuery & { readonly format?: 'ndjson' | 'json'; readonly raw?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#connection.open(downloadPath(batchId), { query, signal })
    return response.body ?? new ReadableStream()
  }

  async *#download<T>(batchId: string, query: DownloadQuery & { readonly raw: boolean }, signal?: AbortSignal) {
    const path = downloadPath(batchId)
    const response = await this.#connection.open(path, { query: { ...query, format: 'ndjson' }, signal })
    for await (const line of readLines(bodyOf(response, path, signal))) if (line !== '') yield parseRow<T>(line)
  }
}

const batchPath = (batchId: string) => `/transcribe/batch/${encodeURIComponent(batchId)}`
const statusPath = (batchId: string) => `/transcribe/status/batch/${encodeURIComponent(batchId)}`
const resultsPath = (batchId: string) => `/transcribe/results/batch/${encodeURIComponent(batchId)}`
const downloadPath = (batchId: string) => `/transcribe/download/batch/${encodeURIComponent(batchId)}`

/** The service writes these from the same shapes that the types describe. */
const parse = <T>(text: string): T => JSON.parse(text) as T

/** A proxy may end a broken download as if it were whole; half a row shows it. */
function parseRow<T>(line: string): T {
  try {
    return parse<T>(line)
  } catch (error) {
    throw new LipikConnectionError('the download broke in the middle of a row', { cause: error })
  }
}

async function* bodyOf(response: Response, what: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (!response.body) return
  const pieces = readPieces(response.body)
  try {
    yield* pieces
  } catch (error) {
    throw broken(what, error, signal)
  }
}
