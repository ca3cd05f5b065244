import type { FastifyInstance } from 'fastify'
import { type BatchesOptions, createBatches } from '../../src/batches/batches-service.ts'
import type { RetrySettings } from '../../src/batches/retry-policy.ts'
import { batchRoutes } from '../../src/http/batch-routes.ts'
import { openAiRoutes } from '../../src/http/openai-routes.ts'
import { resultsRoutes } from '../../src/http/results-routes.ts'
import { hashUser } from '../../src/platform/identity/user-hash.ts'
import { type FileId, newId, type UploadBatchId, type UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'
import { type ChunkWorkerDeps, startChunkWorker } from '../../src/worker/chunk-worker.ts'
import { type FileWorkerDeps, startFileWorker } from '../../src/worker/file-worker.ts'
import type { Worker } from '../../src/worker/worker.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { createInstantTranscriber, splitLines } from './instant-engine.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { openTestApp } from './test-app.ts'

const RULE = { maxRetries: 3, intervalsSeconds: [0] }
export const QUICK_RETRIES: RetrySettings = { separateQueues: false, file: RULE, chunk: RULE, separate: RULE }
/** A worker that dies is noticed in a second, so that a test need not wait half a minute. */
export const QUICK_TIMES = { beatMs: 100, sweepMs: 200, silentSeconds: 1 }

/** The rooms of batches behind their routes, on a real database and disk, with workers that recognise text at once. */
export class Pipeline {
  readonly database: TestDatabase
  readonly folder: TemporaryFolder
  readonly blobs: BlobStore
  readonly engine = createInstantTranscriber()
  readonly metrics = createMetrics()
  readonly #workers: Worker[] = []
  app!: FastifyInstance

  static async open(changes: Partial<BatchesOptions> = {}): Promise<Pipeline> {
    const database = await openTestDatabase()
    const folder = await makeTemporaryFolder()
    const pipeline = new Pipeline(database, folder, await openDiskBlobStore(folder.path))
    await pipeline.openApp(changes)
    return pipeline
  }

  private constructor(database: TestDatabase, folder: TemporaryFolder, blobs: BlobStore) {
    this.database = database
    this.folder = folder
    this.blobs = blobs
  }

  get db() {
    return this.database.db
  }

  async openApp(changes: Partial<BatchesOptions> = {}): Promise<void> {
    await this.app?.close()
    const submit = { maxBatchFiles: 10_000, maxQueueDepth: 100_000, silentSeconds: 25 }
    const batches = createBatches({
      db: this.db,
      blobs: this.blobs,
      development: false,
      keepObjects: true,
      submit,
      ...changes,
    })
    this.app = await openTestApp({
      userRoutes: [
        batchRoutes({ batches, languages: ['hi', 'en'] }),
        resultsRoutes(batches),
        openAiRoutes({ db: this.db, blobs: this.blobs, submit, maxFileBytes: 100_000, languages: ['hi', 'en'] }),
      ],
    })
  }

  startFileWorker(changes: Partial<FileWorkerDeps> = {}): Worker {
    const worker = startFileWorker({
      ...this.#common(),
      splitAudio: splitLines,
      fetchAudio: () => Promise.reject(new Error('this test has no address to fetch')),
      pauseMs: 1500,
      webhooks: { allowPrivate: true },
      concurrency: 2,
      ...changes,
    })
    this.#workers.push(worker)
    return worker
  }

  startChunkWorker(changes: Partial<ChunkWorkerDeps> = {}): Worker {
    const worker = startChunkWorker({
      ...this.#common(),
      transcriber: this.engine,
      languages: ['hi', 'en'],
      concurrency: 2,
      batchSize: 1,
      batchWaitMs: 20,
      ...changes,
    })
    this.#workers.push(worker)
    return worker
  }

  #common() {
    return {
      db: this.db,
      pool: this.database.pool,
      blobs: this.blobs,
      log: createLogger({ level: 'silent' }),
      metrics: this.metrics,
      retries: QUICK_RETRIES,
      keepObjects: true,
      times: QUICK_TIMES,
    }
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close()))
  }

  /** Files of one upload, as if they had arrived in storage; each text is a recording of the instant engine. */
  async upload(user: string, texts: readonly string[], status: 'completed' | 'pending' | 'failed' = 'completed') {
    const upload = newId<UploadBatchId>()
    await this.db.insertInto('upload_batches').values({ id: upload, user_id: user }).execute()
    const files = texts.map((text, position) => ({ id: newId<FileId>(), text, position }))
    for (const { id, text, position } of files) {
      const key = `users/${hashUser(user as UserId)}/uploads/${upload}/${id}/file-${position}.wav`
      if (status === 'completed') await this.blobs.put(key, bytesOf(text))
      await this.db.insertInto('files').values(fileRow({ id, user, upload, position, key, text, status })).execute()
    }
    return { upload, files: files.map(({ id }) => id) }
  }

  async get(user: string, url: string) {
    const response = await this.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${user}` } })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }

  async post(user: string, url: string, payload: object = {}, headers: Record<string, string> = {}) {
    const response = await this.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${user}`, ...headers },
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }

  /** Submits and returns the batch's id. */
  async submit(user: string, payload: object): Promise<string> {
    const { status, body } = await this.post(user, '/transcribe/batch', payload)
    if (status !== 200) throw new Error(`submission refused: ${JSON.stringify(body)}`)
    return body.batch_id
  }

  async ended(user: string, batch: string) {
    for (;;) {
      const { body } = await this.get(user, `/transcribe/status/batch/${batch}?wait=5`)
      if (body.finished_at !== null) return body
    }
  }

  async close(): Promise<void> {
    await this.stopWorkers()
    // Clients that keep their connections open for the next request would be waited for.
    this.app.server.closeAllConnections()
    await this.app.close()
    await this.database.close()
    await this.folder.remove()
  }
}

type TestFile = {
  readonly id: string
  readonly user: string
  readonly upload: string
  readonly position: number
  readonly key: string
  readonly text: string
  readonly status: 'completed' | 'pending' | 'failed'
}

const fileRow = ({ id, user, upload, position, key, text, status }: TestFile) => ({
  id,
  user_id: user,
  batch_upload_id: upload,
  position,
  filename: `file-${position}.wav`,
  content_type: 'audio/wav',
  size_bytes: text.length,
  sha256: '',
  estimated_duration_seconds: text.split('\n').length,
  storage_key: key,
  upload_status: status,
  spool_id: newId<FileId>(),
  spool_path: status === 'completed' ? null : 'somewhere',
  completed_at: status === 'completed' ? new Date() : null,
})

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
