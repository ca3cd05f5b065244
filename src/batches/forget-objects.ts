import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { type FileJobRef, jobPrefix } from './job-objects.ts'
import { UNFINISHED } from './job-state.ts'
import { PRIORITY, QUEUES } from './queues.ts'

/** How long a worker that has not noticed may still write an object of a job that was ended or removed under it. */
export const STRAGGLER_SECONDS = 900

/** While chunks of a file that failed half-way still run, their audio is needed. */
const LOOK_AGAIN_SECONDS = 30

/** Notes, in the caller's transaction, that what is stored for these file jobs is to be deleted. */
export async function forgetObjects(
  db: Kysely<Database>,
  files: readonly FileJobRef[],
  delaySeconds = 0,
): Promise<void> {
  const runAt = new Date(Date.now() + delaySeconds * 1000)
  await enqueue(
    db,
    files.map((file) => ({
      task: QUEUES.deleteObjects,
      payload: file,
      key: `objects:${file.fileJobId}`,
      priority: PRIORITY.chore,
      runAt,
    })),
  )
}

/**
 * Deletes them, unless the file job lives again: a retry stores chunks anew and forgets them at its own end. The job's row is
 * held meanwhile, so that a retry cannot begin between the look and the deletion.
 */
export async function deleteObjects(db: Kysely<Database>, blobs: BlobStore, file: FileJobRef): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ended: boolean; chunks: boolean }>`
      select status <> all(${UNFINISHED}) as ended, exists (
        select 1 from jobs chunk where chunk.batch_id = file.batch_id and chunk.position = file.position
          and chunk.kind = 'chunk' and chunk.status = any(${UNFINISHED})) as chunks
      from jobs file where id = ${file.fileJobId} for share`.execute(trx)
    const [job] = rows
    if (job && !job.ended) return
    if (job?.chunks) return forgetObjects(trx, [file], LOOK_AGAIN_SECONDS)
    for await (const key of blobs.list(jobPrefix(file))) await blobs.delete(key)
  })
}
