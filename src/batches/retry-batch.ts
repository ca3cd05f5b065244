import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { BatchId, UserId } from '../platform/ids.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { announceEnd } from './finish-batch.ts'
import { waiting } from './give-back.ts'
import { isOwnBatch } from './is-own-batch.ts'
import { move } from './job-state.ts'
import { takeTurns } from './take-turns.ts'

/** Runs the failed and partial files of a batch once more, from their audio on. Undefined: no such batch. */
export async function retryBatch(db: Kysely<Database>, user: UserId, batchId: BatchId): Promise<number | undefined> {
  return transact(db, async (trx) => {
    if (!(await isOwnBatch(trx, user, batchId))) return undefined
    const files = await lockEnded(trx, batchId)
    if (files.length === 0) return 0
    await startOver(trx, user, files)
    const failed = files.filter(({ status }) => status === 'failed').length
    await announceEnd(trx, batchId, { failed: -failed, partial: failed - files.length })
    return files.length
  })
}

type EndedFile = { readonly id: string; readonly status: string }

async function lockEnded(trx: Transaction<Database>, batchId: string): Promise<EndedFile[]> {
  const { rows } = await sql<EndedFile>`
    select id, status from jobs
    where batch_id = ${batchId} and kind = 'file' and status = any(${move('retry').from})
    order by id for update`.execute(trx)
  return rows
}

/** The fence stays: a worker of the last round that is still at it must not be able to write into this one. */
async function startOver(trx: Transaction<Database>, user: UserId, files: readonly EndedFile[]): Promise<void> {
  const ids = files.map(({ id }) => id)
  const first = await takeTurns(trx, user, 'file', ids.length)
  await sql`
    delete from jobs as chunk using jobs as file
    where file.id = any(${ids}) and chunk.batch_id = file.batch_id and chunk.position = file.position
      and chunk.kind = 'chunk'`.execute(trx)
  await sql`
    update jobs set
      status = ${move('retry').to}, phase = 'split', attempts = 0, error = null, result = null,
      total_chunks = null, chunks_done = 0, chunks_failed = 0, started_at = null, finished_at = null, end_ms = null,
      turn = ${first}::bigint + array_position(${ids}::uuid[], id) - 1
    where id = any(${ids})`.execute(trx)
  await enqueue(
    trx,
    ids.map((id, at) => waiting('file', id, { turn: first + at, phase: 'split' })),
  )
}
