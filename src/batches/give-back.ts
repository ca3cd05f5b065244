import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import type { Claim } from './claim-job.ts'
import type { JobFault } from './job-fault.ts'
import { move } from './job-state.ts'
import { jobKey, PRIORITY, QUEUES } from './queues.ts'
import type { JobKind, RetryDecision } from './retry-policy.ts'
import { turnTime } from './take-turns.ts'

/** A worker that stops gives its work back at once, at its old place in the queue; this is no attempt that counts. */
export async function handBack(db: Kysely<Database>, kind: JobKind, claim: Claim): Promise<boolean> {
  const { from, to } = move('handBack')
  return transact(db, async (trx) => {
    const { rows } = await sql<{ turn: number; phase: string | null }>`
      update jobs set status = ${to}, worker_id = null, attempts = attempts - 1
      where id = ${claim.jobId} and fence = ${claim.fence} and worker_id is not null and status = any(${from})
      returning turn, phase`.execute(trx)
    const [job] = rows
    if (job) await enqueue(trx, [waiting(kind, claim.jobId, job)])
    return job !== undefined
  })
}

/** After a fault that may pass: visible as `retrying` until its time comes. */
export async function retryLater(
  db: Kysely<Database>,
  claim: Claim,
  fault: JobFault,
  { delaySeconds, queue }: Extract<RetryDecision, { retry: true }>,
): Promise<boolean> {
  const { from, to } = move('retryLater')
  return transact(db, async (trx) => {
    const { rows } = await sql`
      update jobs set status = ${to}, worker_id = null, error = ${JSON.stringify(fault)}::jsonb
      where id = ${claim.jobId} and fence = ${claim.fence} and worker_id is not null and status = any(${from})
      returning id`.execute(trx)
    if (rows.length === 0) return false
    const runAt = new Date(Date.now() + delaySeconds * 1000)
    const priority = PRIORITY.retry
    await enqueue(trx, [{ task: queue, payload: { jobId: claim.jobId }, key: jobKey(claim.jobId), priority, runAt }])
    return true
  })
}

/** How a job that waits for a worker stands in the queue. */
export function waiting(kind: JobKind, jobId: string, { turn, phase }: { turn: number; phase: string | null }) {
  return {
    task: kind === 'file' ? QUEUES.file : QUEUES.chunk,
    payload: { jobId },
    key: jobKey(jobId),
    priority: phase === 'merge' ? PRIORITY.merge : PRIORITY.fresh,
    runAt: turnTime(turn),
  }
}
