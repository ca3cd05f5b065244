import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { BatchId, UserId } from '../platform/ids.ts'
import type { ObjectRule } from './end-file.ts'
import { announceEnd } from './finish-batch.ts'
import { forgetObjects, STRAGGLER_SECONDS } from './forget-objects.ts'
import { isOwnBatch } from './is-own-batch.ts'
import { CANCELLED } from './job-fault.ts'
import { move } from './job-state.ts'

/** Ends every file of the batch that has not ended yet; what workers still make of them is dropped. Undefined: no such batch. */
export async function cancelBatch(
  db: Kysely<Database>,
  user: UserId,
  batchId: BatchId,
  { keepObjects }: ObjectRule,
): Promise<number | undefined> {
  return transact(db, async (trx) => {
    if (!(await isOwnBatch(trx, user, batchId))) return undefined
    const files = await lockUnfinished(trx, batchId)
    await cancelJobs(trx, files)
    const refs = files.map((fileJobId) => ({ userId: user, batchId, fileJobId }))
    if (!keepObjects) await forgetObjects(trx, refs, STRAGGLER_SECONDS)
    if (files.length > 0) await announceEnd(trx, batchId, { failed: files.length })
    return files.length
  })
}

async function lockUnfinished(trx: Transaction<Database>, batchId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs where batch_id = ${batchId} and kind = 'file' and status = any(${move('cancel').from})
    order by id for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The files are locked, so no chunk of theirs can be added or counted meanwhile: the counters are taken from the rows. */
async function cancelJobs(trx: Transaction<Database>, files: readonly string[]): Promise<void> {
  const { from, to } = move('cancel')
  const fault = JSON.stringify(CANCELLED)
  await sql`
    update jobs as chunk set status = ${to}, worker_id = null, finished_at = now(), error = ${fault}::jsonb
    from jobs as file
    where file.id = any(${files}) and chunk.batch_id = file.batch_id and chunk.position = file.position
      and chunk.kind = 'chunk' and chunk.status = any(${from})`.execute(trx)
  await sql`
    update jobs as file set
      status = ${to}, worker_id = null, finished_at = now(), error = ${fault}::jsonb,
      total_chunks = counted.chunks, chunks_failed = counted.chunks - chunks_done
    from (
      select file.id, count(chunk.id) as chunks
      from jobs as file left join jobs as chunk
        on chunk.batch_id = file.batch_id and chunk.position = file.position and chunk.kind = 'chunk'
      where file.id = any(${files}) group by file.id
    ) as counted
    where file.id = counted.id`.execute(trx)
}
