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
 * forgotten by nobody, whatever happens to this process or to storage. `dueAt` leaves time to who deletes them at once,
 * or to a writer to be surely gone.
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
 * leaves it for later and several processes do not take the same. Returns how many keys were dealt with.
 */
export async function deleteDue(deps: DeletionDeps, signal?: AbortSignal): Promise<number> {
  let done = 0
  while (!signal?.aborted) {
    const keys = await takeDue(deps.db)
    if (keys.length === 0) break
    done += keys.length - (await deleteScheduled(deps, keys, signal)).left
  }
  return done
}

export type Deletions = { readonly existed: number; readonly left: number }

/** Deletes keys that are written down: how many there were in storage, and how many are left for a later sweep. */
export async function deleteScheduled(
  deps: DeletionDeps,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Deletions> {
  const count = { existed: 0, left: keys.length }
  for (let at = 0; at < keys.length && !signal?.aborted; at += AT_ONCE) {
    const outcomes = await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => deleteOne(deps, key)))
    count.existed += outcomes.filter((outcome) => outcome === 'existed').length
    count.left -= outcomes.filter((outcome) => outcome !== 'left').length
  }
  return count
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

async function deleteOne({ db, blobs, log }: DeletionDeps, key: string): Promise<'existed' | 'absent' | 'left'> {
  try {
    const existed = await blobs.delete(key)
    await db.deleteFrom('pending_deletions').where('storage_key', '=', key).execute()
    return existed ? 'existed' : 'absent'
  } catch (error) {
    log.warn({ error }, 'an object could not be deleted now')
    return 'left'
  }
}
