import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import { type FileId, isUuid, type UserId } from '../platform/ids.ts'
import { scheduleDeletion } from './deferred-deletion.ts'
import type { Spool } from './spool.ts'

export type RemovedJobs = { readonly jobs: number; readonly objectKeys: readonly string[] }

/** Cancels and removes every job of these files within the transaction; returns the objects only they knew of. */
export type RemoveJobsOf = (transaction: Transaction<Database>, files: readonly FileId[]) => Promise<RemovedJobs>

export type DeleteDeps = {
  readonly db: Kysely<Database>
  readonly spool: Spool
  readonly removeJobsOf: RemoveJobsOf
  /** Deletes these written-down objects; how many there were, those that must wait for a sweep counted in. */
  readonly deleteObjects: (keys: readonly string[]) => Promise<number>
}

export type DeleteResult = {
  readonly deleted_file_ids: readonly string[]
  readonly deleted_count: number
  readonly storage_objects_deleted: number
  readonly jobs_cleaned: number
}

/** Until then the objects are ours to delete before the answer; the sweep takes what we did not come to. */
const OURS_FOR_MS = 60_000
/** After a lease ended its holder has stopped writing; clocks and a last request in flight get this much more. */
const AFTER_LEASE_MS = 60_000

/** All or nothing: one id that is unknown or another user's, and nothing is deleted. */
export async function deleteFiles(deps: DeleteDeps, user: UserId, ids: readonly string[]): Promise<DeleteResult> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const unknown = wanted.filter((id) => !isUuid(id))
  if (unknown.length > 0) throw notFound(unknown)
  const { files, jobs, objectKeys } = await deps.db
    .transaction()
    .execute((transaction) => removeRows(deps, transaction, user, wanted))
  for (const { spool_id, spool_path } of files) {
    if (spool_path !== null && spool_id === deps.spool.id) await deps.spool.remove(spool_path)
  }
  return {
    deleted_file_ids: wanted,
    deleted_count: wanted.length,
    storage_objects_deleted: await deps.deleteObjects(objectKeys),
    jobs_cleaned: jobs,
  }
}

async function removeRows(
  { removeJobsOf }: DeleteDeps,
  transaction: Transaction<Database>,
  user: UserId,
  ids: readonly string[],
) {
  const files = await lockFiles(transaction, user, ids)
  const found = new Set(files.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) throw notFound(missing)
  // Asked for by the caller as ids of files, and found to be that.
  const removed = await removeJobsOf(transaction, ids as readonly FileId[])
  const idle = files.filter(({ lease_until }) => lease_until === null).map(({ storage_key }) => storage_key)
  const objectKeys = [...new Set([...idle, ...removed.objectKeys])]
  await scheduleDeletion(transaction, objectKeys, new Date(Date.now() + OURS_FOR_MS))
  for (const { storage_key, lease_until } of files)
    if (lease_until !== null)
      await scheduleDeletion(transaction, [storage_key], new Date(lease_until.getTime() + AFTER_LEASE_MS))
  await transaction.deleteFrom('files').where('id', 'in', ids).execute()
  await removeEmptyUploads(transaction, [...new Set(files.map(({ batch_upload_id }) => batch_upload_id))])
  return { files, jobs: removed.jobs, objectKeys }
}

/** Uploads first, then files, each in the order of their ids: two deletes never wait for each other in a circle. */
async function lockFiles(transaction: Transaction<Database>, user: UserId, ids: readonly string[]) {
  const mine = transaction.selectFrom('files').where('id', 'in', ids).where('user_id', '=', user)
  await transaction
    .selectFrom('upload_batches')
    .select('id')
    .where('id', 'in', mine.select('batch_upload_id'))
    .orderBy('id')
    .forUpdate()
    .execute()
  return mine
    .select(['id', 'batch_upload_id', 'upload_status', 'storage_key', 'spool_id', 'spool_path', 'lease_until'])
    .orderBy('id')
    .forUpdate()
    .execute()
}

async function removeEmptyUploads(transaction: Transaction<Database>, uploads: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom('upload_batches')
    .where('id', 'in', uploads)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('files').select('id').whereRef('files.batch_upload_id', '=', 'upload_batches.id'))),
    )
    .execute()
}

const notFound = (ids: readonly string[]) =>
  new LipikError('not_found', 'no such file; nothing was deleted', { details: { file_ids: ids } })
