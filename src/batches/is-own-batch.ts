import type { Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { BatchId, UserId } from '../platform/ids.ts'

/** Another user's batch is as absent as one that never was. */
export async function isOwnBatch(trx: Transaction<Database>, user: UserId, id: BatchId): Promise<boolean> {
  const batch = await trx
    .selectFrom('batches')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return batch !== undefined
}
