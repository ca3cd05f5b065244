import { type Kysely, sql } from 'kysely'
import { scheduleDeletion } from '../files/deferred-deletion.ts'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { ObjectRule } from './end-file.ts'
import { removeFileJobs } from './remove-jobs.ts'

const FILES_AT_A_TIME = 200

/**
 * Deletes batches older than `days` with their results and objects, the unfinished ones too: who keeps nothing longer than that
 * wants nothing longer than that. Returns how many files went; call again until none does.
 */
export async function expireBatches(db: Kysely<Database>, days: number, rule: ObjectRule): Promise<number> {
  return transact(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select jobs.id from jobs join batches on batches.id = jobs.batch_id
      where batches.created_at < now() - make_interval(days => ${days}) and kind = 'file'
      order by jobs.id limit ${FILES_AT_A_TIME} for update of jobs skip locked`.execute(trx)
    const { objectKeys } = await removeFileJobs(
      trx,
      rows.map(({ id }) => id),
      rule,
    )
    await scheduleDeletion(trx, objectKeys)
    await sql`
      delete from batches where created_at < now() - make_interval(days => ${days})
        and not exists (select 1 from jobs where jobs.batch_id = batches.id)`.execute(trx)
    return rows.length
  })
}
