import { type Kysely, sql } from 'kysely'
import { scheduleDeletion } from '../files/deferred-deletion.ts'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { BatchId, UserId } from '../platform/ids.ts'
import type { ObjectRule } from './end-file.ts'
import { isOwnBatch } from './is-own-batch.ts'
import { removeFileJobs } from './remove-jobs.ts'

/**
 * Deletes a batch with its jobs, results and chunks, running ones too; the files it was made of stay. Returns how many files'
 * results went; undefined: no such batch.
 */
export async function deleteBatch(
  db: Kysely<Database>,
  user: UserId,
  batchId: BatchId,
  rule: ObjectRule,
): Promise<number | undefined> {
  return transact(db, async (trx) => {
    if (!(await isOwnBatch(trx, user, batchId))) return undefined
    const { rows } = await sql<{ id: string }>`
      select id from jobs where batch_id = ${batchId} and kind = 'file' order by id for update`.execute(trx)
    const ids = rows.map(({ id }) => id)
    const { objectKeys } = await removeFileJobs(trx, ids, rule)
    await scheduleDeletion(trx, objectKeys)
    await sql`delete from batches where id = ${batchId}`.execute(trx)
    return ids.length
  })
}
