import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { Logger } from '../platform/log.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'

const AT_ONCE = 8
const PAGE = 200
const ROWS_PER_INSERT = 10_000

export type DeletionDeps = { readonly db: Kysely<Database>; readonly blobs: BlobStore; readonly log: Logger }

/**
 * Writes down objects to delete, in the transaction that removes the last row naming them: from then on they are
 * forgotten by nobody, whatever happens to this process or to storage. `dueAt` waits for a writer to be surely gone.
 */
export async function scheduleDeletion(
  transaction: Transaction<Database>,
  keys: readonly string[],
  dueAt?: Date,
): Promise<void> {
  for (let at = 0; at < keys.length; at += ROWS_PER_INSERT) {
    const rows = keys.slice(at, at + ROWS_PER_INSERT)
    await sql`
      insert into pending_deletions (storage_key, due_at)
      select distinct key, coalesce(${dueAt ?? null}::timestamptz, now()) from unnest(${rows}::text[]) as key
      on conflict (storage_key) do update set due_at = greatest(pending_deletions.due_at, excluded.due_at)
    `.execute(transaction)
  }
}

/**
 * Deletes what is due, until nothing is left or `signal` ends it. Each page is first put off, so that a process that dies
 * leaves it for later and several processes do not take the same. Returns how many objects are gone.
 */
export async function deleteDue(deps: DeletionDeps, signal?: AbortSignal): Promise<number> {
  let gone = 0
  while (!signal?.aborted) {
    const keys = await takeDue(deps.db)
    if (keys.length === 0) break
    for (let at = 0; at < keys.length && !signal?.aborted; at += AT_ONCE) {
      const deleted = await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => deleteOne(deps, key)))
      gone += deleted.filter(Boolean).length
    }
  }
  return gone
}

async function takeDue(db: Kysely<Database>): Promise<string[]> {
  const rows = await db
    .with('due', (from) =>
      from
        .selectFrom('pending_deletions')
        .select('storage_key')
        .where('due_at', '<=', sql<Date>`now()`)
        .orderBy('due_at')
        .limit(PAGE)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('pending_deletions')
    .from('due')
    .set({
      attempts: sql<number>`pending_deletions.attempts + 1`,
      due_at: sql<Date>`now() + least(interval '5 seconds' * power(2, least(attempts, 10)), interval '1 hour')`,
    })
    .whereRef('pending_deletions.storage_key', '=', 'due.storage_key')
    .returning('pending_deletions.storage_key')
    .execute()
  return rows.map(({ storage_key }) => storage_key)
}

async function deleteOne({ db, blobs, log }: DeletionDeps, key: string): Promise<boolean> {
  try {
    await blobs.delete(key)
    await db.deleteFrom('pending_deletions').where('storage_key', '=', key).execute()
    return true
  } catch (error) {
    log.warn({ error }, 'an object could not be deleted now')
    return false
  }
}
