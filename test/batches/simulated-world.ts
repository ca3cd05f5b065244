import { type Kysely, sql } from 'kysely'
import { cancelBatch } from '../../src/batches/cancel-batch.ts'
import { type ChunkClaim, claimChunk, claimFile, type FileClaim } from '../../src/batches/claim-job.ts'
import { endChunk } from '../../src/batches/end-chunk.ts'
import { endFile } from '../../src/batches/end-file.ts'
import { addChunks, endFanOut } from '../../src/batches/fan-out.ts'
import { handBack, retryLater } from '../../src/batches/give-back.ts'
import { chunkAudioKey, type FileJobRef, jobPrefix } from '../../src/batches/job-objects.ts'
import { fileOutcome } from '../../src/batches/job-state.ts'
import { recoverJobs } from '../../src/batches/recover-jobs.ts'
import { createRemoveJobsOf } from '../../src/batches/remove-jobs.ts'
import { retryBatch } from '../../src/batches/retry-batch.ts'
import { decideRetry, type RetrySettings } from '../../src/batches/retry-policy.ts'
import { submitBatch } from '../../src/batches/submit-batch.ts'
import type { Database } from '../../src/platform/database/schema.ts'
import { transact } from '../../src/platform/database/transact.ts'
import { LipikError } from '../../src/platform/errors.ts'
import type { BatchId, UserId } from '../../src/platform/ids.ts'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { instantTranscript } from '../support/instant-engine.ts'

const USER = 'asha' as UserId
const RULE = { maxRetries: 1, intervalsSeconds: [0] }
const KEEP = { keepObjects: true }
const RETRIES: RetrySettings = { separateQueues: false, file: RULE, chunk: RULE, separate: RULE }
const SUBMIT = { maxBatchFiles: 100, maxQueueDepth: 100_000, silentSeconds: 60 }
const FAULT = { code: 'bad', message: 'bad' }

type HeldFile = {
  readonly kind: 'file'
  readonly claim: FileClaim
  readonly worker: string
  cut: number
  isBusy?: boolean
}
type HeldChunk = { readonly kind: 'chunk'; readonly claim: ChunkClaim; readonly worker: string; isBusy?: boolean }

/**
 * Workers, users and storage around the real tables: every method is one thing that can happen. Claims of a crashed worker are
 * kept and used again later, as a worker that was only slow would use them.
 */
export class SimulatedWorld {
  readonly #db: Kysely<Database>
  readonly #objects = new Set<string>()
  readonly #held: (HeldFile | HeldChunk)[] = []
  #workers = 0

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  async submit(files: number): Promise<void> {
    const blobs = {} as BlobStore // addresses need no storage
    const sources = Array.from({ length: files }, (_, at) => ({ url: `http://example.com/${at}.wav` }))
    const options = { script: 'native', tags: true } as const
    await transact(this.#db, (trx) => submitBatch(trx, blobs, SUBMIT, USER, { fileIds: [], sources, options }))
  }

  /** What the queue does: some waiting job goes to some worker and is no longer offered. */
  async claim(pick: number): Promise<void> {
    const worker = await this.#register()
    const job = await this.#takeFromQueue(pick)
    if (job === undefined) return
    const file = await claimFile(this.#db, job, worker)
    if (file) this.#held.push({ kind: 'file', claim: file, worker, cut: 0 })
    const chunk = file ? undefined : await claimChunk(this.#db, job, worker)
    if (chunk) this.#held.push({ kind: 'chunk', claim: chunk, worker })
  }

  /** The next step of some claim, whether it still holds or was overtaken long ago. */
  async work(pick: number, luck: number): Promise<void> {
    const held = this.#some(pick)
    // A worker does one thing after another; only a stop or a crash comes in between.
    if (!held || held.isBusy) return
    held.isBusy = true
    await this.#step(held, luck)
    held.isBusy = false
  }

  async crash(pick: number): Promise<void> {
    const held = this.#some(pick)
    if (held) await this.#silence(held.worker)
  }

  async recover(): Promise<void> {
    await recoverJobs(this.#db, { ...RETRIES, ...KEEP }, 60)
  }

  async stop(pick: number): Promise<void> {
    const held = this.#some(pick)
    if (held) await handBack(this.#db, held.kind, held.claim)
  }

  async cancel(pick: number): Promise<void> {
    const batch = await this.#someBatch(pick)
    if (batch) await cancelBatch(this.#db, USER, batch, KEEP)
  }

  async retry(pick: number): Promise<void> {
    const batch = await this.#someBatch(pick)
    if (batch) await retryBatch(this.#db, USER, batch)
  }

  async remove(pick: number): Promise<void> {
    const rows = await this.#db.selectFrom('jobs').select('file_id').where('kind', '=', 'file').orderBy('id').execute()
    const row = rows[pick % (rows.length || 1)]
    if (!row) return
    const { objectKeys } = await transact(this.#db, (trx) => createRemoveJobsOf(KEEP)(trx, [row.file_id]))
    for (const key of objectKeys) this.#objects.delete(key)
  }

  /** All workers die; new ones do whatever the queue still offers, until it offers nothing. */
  async drain(): Promise<void> {
    for (const { worker } of this.#held) await this.#silence(worker)
    await this.recover()
    while ((await this.#queue()).length > 0) {
      const before = this.#held.length
      await this.claim(0)
      if (this.#held.length === before) continue
      for (let step = 0; step < 4; step++) await this.work(this.#held.length - 1, 0)
    }
    await this.#sweepObjects()
  }

  async orphanObjects(): Promise<string[]> {
    const files = await this.#db.selectFrom('jobs').selectAll().where('kind', '=', 'file').execute()
    const owned = files.map((file) => jobPrefix({ userId: file.user_id, batchId: file.batch_id, fileJobId: file.id }))
    return [...this.#objects].filter((key) => !owned.some((prefix) => key.startsWith(prefix)))
  }

  async #step(held: HeldFile | HeldChunk, luck: number): Promise<void> {
    if (held.kind === 'chunk') await this.#recognise(held.claim, luck)
    else if (held.claim.phase === 'merge') await this.#merge(held.claim)
    else await this.#cut(held, luck)
  }

  async #recognise(claim: ChunkClaim, luck: number): Promise<void> {
    const decision = decideRetry(RETRIES, 'chunk', claim.attempts, new LipikError('engine_busy', 'busy'))
    if (luck % 3 === 0) await endChunk(this.#db, claim, { transcript: instantTranscript('word') })
    else if (luck % 3 === 1 && decision.retry) await retryLater(this.#db, claim, FAULT, decision)
    else await endChunk(this.#db, claim, { fault: FAULT })
  }

  async #cut(held: HeldFile, luck: number): Promise<void> {
    const { claim } = held
    if (luck % 7 === 6) await endFile(this.#db, claim, { move: 'fail', fault: FAULT }, KEEP)
    else if (held.cut < 3) {
      const index = held.cut++
      this.#objects.add(chunkAudioKey({ ...claim, fileJobId: claim.jobId }, index))
      await addChunks(this.#db, claim, [{ index, startMs: index * 1000, endMs: index * 1000 + 1000, overlapMs: 0 }])
    } else await endFanOut(this.#db, claim, { chunks: held.cut, durationMs: held.cut * 1000 })
  }

  async #merge(claim: FileClaim): Promise<void> {
    const file = await this.#db
      .selectFrom('jobs')
      .select(['chunks_done as done', 'chunks_failed as failed'])
      .where('id', '=', claim.jobId)
      .executeTakeFirst()
    if (file) await endFile(this.#db, claim, { move: fileOutcome(file) }, KEEP)
  }

  #some(pick: number): HeldFile | HeldChunk | undefined {
    return this.#held[pick % (this.#held.length || 1)]
  }

  async #silence(worker: string): Promise<void> {
    await sql`update workers set seen_at = now() - interval '1 hour' where id = ${worker}`.execute(this.#db)
  }

  async #register(): Promise<string> {
    const id = `worker-${++this.#workers}`
    await this.#db.insertInto('workers').values({ id, mode: 'chunk', slots: 1 }).execute()
    return id
  }

  async #queue(): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from graphile_worker.jobs where key like 'job:%' order by priority, run_at, id`.execute(this.#db)
    return rows.map(({ key }) => key)
  }

  async #takeFromQueue(pick: number): Promise<string | undefined> {
    const keys = await this.#queue()
    const key = keys[pick % (keys.length || 1)]
    if (key === undefined) return undefined
    const { rows } = await sql<{ id: string | null }>`select id from graphile_worker.remove_job(${key})`.execute(
      this.#db,
    )
    return rows[0]?.id == null ? undefined : key.slice('job:'.length)
  }

  async #sweepObjects(): Promise<void> {
    const { rows } = await sql<{ payload: FileJobRef }>`
      select payload from graphile_worker._private_jobs where key like 'objects:%'`.execute(this.#db)
    for (const { payload } of rows) {
      for (const key of this.#objects) if (key.startsWith(jobPrefix(payload))) this.#objects.delete(key)
    }
  }

  async #someBatch(pick: number): Promise<BatchId | undefined> {
    const rows = await this.#db.selectFrom('batches').select('id').orderBy('id').execute()
    return rows[pick % (rows.length || 1)]?.id as BatchId | undefined // the batches table holds batch ids
  }
}
