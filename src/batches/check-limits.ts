import { sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import type { UserId } from '../platform/ids.ts'

export type Quota = { readonly audioSecondsPerDay: number; readonly filesPerDay: number }
export type Asked = { readonly files: number; readonly audioSeconds: number }

/** Days are UTC days. Submissions of one user pass here one after another, so that two cannot share the last of a quota. */
export async function checkQuota(trx: Transaction<Database>, user: UserId, quota: Quota, asked: Asked): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('quota:' || ${user}, 0))`.execute(trx)
  const { rows } = await sql<Asked & { left: number }>`
    select coalesce(sum(submitted_files), 0) as files, coalesce(sum(audio_seconds), 0) as "audioSeconds",
      extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float8 as left
    from batches where user_id = ${user} and created_at >= date_trunc('day', now(), 'UTC')`.execute(trx)
  const used = rows[0]
  if (!used) return
  const overFiles = used.files + asked.files > quota.filesPerDay
  const overAudio = used.audioSeconds + asked.audioSeconds > quota.audioSecondsPerDay
  if (!overFiles && !overAudio) return
  throw new LipikError('quota_exceeded', `the day's quota of ${overFiles ? 'files' : 'audio seconds'} is used up`, {
    details: { retry_after_seconds: Math.ceil(used.left) },
  })
}

/** `waitSeconds`: how long the backlog probably lasts, which is what a caller is told to wait at most. */
export function checkQueueDepth(unfinished: number, asked: number, most: number, waitSeconds: number): void {
  if (unfinished + asked <= most) return
  throw new LipikError('queue_full', `the queue holds ${unfinished} unfinished jobs and takes at most ${most}`, {
    details: { retry_after_seconds: Math.min(600, Math.max(5, Math.ceil(waitSeconds))) },
  })
}
