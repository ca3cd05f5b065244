import { setTimeout as delay } from 'node:timers/promises'
import { type BatchesService, createBatches } from '../../src/batches/batches-service.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'
import { startChunkWorker } from '../../src/worker/chunk-worker.ts'
import { startFileWorker } from '../../src/worker/file-worker.ts'
import { createInstantTranscriber, splitLines } from '../../test/support/instant-engine.ts'
import { openBenchDatabase } from './bench-database.ts'

export const USER = 'bench' as UserId

export type BenchPipeline = {
  readonly batches: BatchesService
  /** Runs a batch of so many files of three chunks to its end; gives its id and how long it took. */
  run(files: number): Promise<{ readonly batchId: string; readonly seconds: number }>
  close(): Promise<void>
}

/** Real tables, queue, storage on disk and workers; only the recognition takes no time. */
export async function openBenchPipeline(): Promise<BenchPipeline> {
  const database = await openBenchDatabase()
  const { db, pool } = database
  const blobs = await openDiskBlobStore(`${database.folder}/objects`)
  const submit = { maxBatchFiles: 10_000, maxQueueDepth: 1_000_000, silentSeconds: 60 }
  const batches = createBatches({ db, blobs, submit, development: false, keepObjects: true })
  const rule = { maxRetries: 3, intervalsSeconds: [5, 15, 45] }
  const common = {
    db,
    pool,
    blobs,
    log: createLogger({ level: 'warn' }),
    metrics: createMetrics(),
    retries: { separateQueues: false, file: rule, chunk: rule, separate: rule },
    keepObjects: true,
  }
  const files = startFileWorker({
    ...common,
    splitAudio: splitLines,
    fetchAudio: async () => recording(),
    webhooks: { allowPrivate: false },
    pauseMs: 1500,
    concurrency: 3,
  })
  const transcriber = createInstantTranscriber()
  const chunks = startChunkWorker({
    ...common,
    transcriber,
    languages: ['en'],
    concurrency: 4,
    batchSize: 1,
    batchWaitMs: 0,
  })
  return {
    batches,
    run: (count) => runBatch(batches, count),
    async close() {
      await Promise.all([files.close(), chunks.close()])
      await database.close()
    },
  }
}

async function* recording(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('haan bilkul\nkal milte hain\nok')
}

let runs = 0

async function runBatch(batches: BatchesService, count: number) {
  const run = ++runs
  const sources = Array.from({ length: count }, (_, at) => ({ url: `http://example.com/${run}/${at}` }))
  const began = performance.now()
  const submission = { fileIds: [], sources, options: { script: 'native', tags: true } } as const
  const { answer } = await batches.submit(USER, submission, undefined)
  for (;;) {
    const progress = await batches.progress(USER, answer.batch_id)
    if (progress?.finished_at) return { batchId: answer.batch_id, seconds: (performance.now() - began) / 1000 }
    await delay(50)
  }
}
