import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import type { JobStatus } from './job-state.ts'
import { PRIORITY, QUEUES } from './queues.ts'

/** Files that ended (or, negative, ended no longer), by how. */
export type EndedFiles = Partial<Record<JobStatus, number>>

/** Counts ended files into their batch. The one that ends the last file also sends the batch's webhook on its way. */
export async function announceEnd(trx: Kysely<Database>, batchId: string, ended: EndedFiles, files = 0): Promise<void> {
  const { completed = 0, partial = 0, failed = 0 } = ended
  const { rows } = await sql<{ webhook: boolean; over: boolean }>`
    update batches set
      total_files = total_files + ${files},
      files_completed = files_completed + ${completed},
      files_partial = files_partial + ${partial},
      files_failed = files_failed + ${failed},
      finished_at = case
        when files_completed + files_partial + files_failed + ${completed + partial + failed} = total_files + ${files}
        then coalesce(finished_at, now()) end
    where id = ${batchId}
    returning options->'webhook' is not null as webhook, coalesce(finished_at = now(), false) as over`.execute(trx)
  const [batch] = rows
  if (!batch?.over || !batch.webhook) return
  await enqueue(trx, [
    { task: QUEUES.webhook, payload: { batchId, attempt: 1 }, key: `webhook:${batchId}`, priority: PRIORITY.chore },
  ])
}
