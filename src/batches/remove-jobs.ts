import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { announceEnd, type EndedFiles } from './finish-batch.ts'
import { chunkAudioKey, chunkRecordKey, jobPrefix } from './job-objects.ts'
import type { JobStatus } from './job-state.ts'
import { PRIORITY, QUEUES } from './queues.ts'

export type RemovedJobs = {
  /** File jobs and chunk jobs together. */
  readonly jobs: number
  /** Objects that may lie in storage for them; the caller deletes them once its transaction is through. */
  readonly objectKeys: readonly string[]
}

type RemovedRow = {
  readonly id: string
  readonly user_id: string
  readonly batch_id: string
  readonly status: JobStatus
  readonly chunks: readonly number[]
}

/** How long a worker that has not noticed may still write an object of a job that is gone. */
const STRAGGLER_SECONDS = 900

/**
 * Removes every job of these files, running ones too, in the caller's transaction; their batches count them no longer.
 * Whoever still works on one finds no row to write to. What such a worker may yet store is looked for a while later.
 */
export async function removeJobsOf(trx: Transaction<Database>, fileIds: readonly string[]): Promise<RemovedJobs> {
  const { rows: files } = await sql<{ id: string }>`
    select id from jobs where file_id = any(${[...fileIds]}) and kind = 'file' order by id for update`.execute(trx)
  return removeFileJobs(
    trx,
    files.map(({ id }) => id),
  )
}

/** The file jobs `ids` must be locked already. */
export async function removeFileJobs(trx: Transaction<Database>, ids: readonly string[]): Promise<RemovedJobs> {
  if (ids.length === 0) return { jobs: 0, objectKeys: [] }
  const { rows } = await sql<RemovedRow>`
    with chunks as (
      delete from jobs as chunk using jobs as file
      where file.id = any(${[...ids]}) and chunk.batch_id = file.batch_id and chunk.position = file.position
        and chunk.kind = 'chunk'
      returning chunk.parent_id, chunk.chunk_index
    ), files as (
      delete from jobs where id = any(${[...ids]}) returning id, user_id, batch_id, status
    )
    select files.*, array(select chunk_index from chunks where parent_id = files.id) as chunks from files`.execute(trx)
  await uncount(trx, rows)
  await sweepLater(trx, rows)
  const objectKeys = rows.flatMap(({ id, user_id, batch_id, chunks }) => {
    const file = { userId: user_id, batchId: batch_id, fileJobId: id }
    return chunks.flatMap((index) => [chunkAudioKey(file, index), chunkRecordKey(file, index)])
  })
  return { jobs: rows.reduce((sum, { chunks }) => sum + 1 + chunks.length, 0), objectKeys }
}

async function uncount(trx: Kysely<Database>, rows: readonly RemovedRow[]): Promise<void> {
  const batches = new Map<string, EndedFiles & { files: number }>()
  for (const { batch_id, status } of rows) {
    const counts = batches.get(batch_id) ?? { files: 0 }
    batches.set(batch_id, { ...counts, files: counts.files - 1, [status]: (counts[status] ?? 0) - 1 })
  }
  const inOrder = [...batches].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [batchId, { files, ...ended }] of inOrder) await announceEnd(trx, batchId, ended, files)
}

async function sweepLater(trx: Kysely<Database>, rows: readonly RemovedRow[]): Promise<void> {
  const runAt = new Date(Date.now() + STRAGGLER_SECONDS * 1000)
  await enqueue(
    trx,
    rows.map(({ id, user_id, batch_id }) => {
      const prefix = jobPrefix({ userId: user_id, batchId: batch_id, fileJobId: id })
      return { task: QUEUES.deleteObjects, payload: { prefix }, key: `objects:${id}`, priority: PRIORITY.chore, runAt }
    }),
  )
}
