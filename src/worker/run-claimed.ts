import type { Kysely } from 'kysely'
import type { Claim } from '../batches/claim-job.ts'
import { handBack, retryLater } from '../batches/give-back.ts'
import { type JobFault, toFault } from '../batches/job-fault.ts'
import { decideRetry, type JobKind, type RetrySettings } from '../batches/retry-policy.ts'
import { isConnectionFault } from '../platform/database/is-connection-fault.ts'
import type { Database } from '../platform/database/schema.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'

export type ClaimedDeps = {
  readonly db: Kysely<Database>
  readonly retries: RetrySettings
  readonly log: Logger
  readonly metrics: Metrics
}

export type ClaimedJob = {
  readonly kind: JobKind
  readonly claim: Claim
  work(): Promise<void>
  /** The end of a job that will not be tried again. */
  fail(fault: JobFault): Promise<boolean>
  /** Whether a fault may be followed by another try at all; absent: always. */
  mayRetry?(): boolean
}

type Outcome = 'done' | 'handed_back' | 'retrying' | 'failed'

/** Does the work; a fault leads to another try or to the job's end, a stop of the worker gives the job back at once. */
export async function runClaimed(deps: ClaimedDeps, job: ClaimedJob, signal: AbortSignal): Promise<void> {
  const stopTimer = deps.metrics.jobSeconds.startTimer({ kind: job.kind })
  const outcome = await attempt(deps, job, signal)
  stopTimer()
  deps.metrics.jobs.inc({ kind: job.kind, outcome })
}

async function attempt(deps: ClaimedDeps, job: ClaimedJob, signal: AbortSignal): Promise<Outcome> {
  try {
    if (await finishedBefore(signal, job)) return 'done'
  } catch (error) {
    if (!signal.aborted) return afterFault(deps, job, error)
  }
  await handBack(deps.db, job.kind, job.claim)
  return 'handed_back'
}

/** Does not wait for an engine that is slow to stop: what it still brings is dropped by the fence. */
async function finishedBefore(signal: AbortSignal, job: ClaimedJob): Promise<boolean> {
  if (signal.aborted) return false
  let stop = () => {}
  const stopped = new Promise<false>((resolve) => {
    stop = () => resolve(false)
    signal.addEventListener('abort', stop, { once: true })
  })
  const work = job.work().then(() => true)
  work.catch(() => {})
  try {
    return await Promise.race([stopped, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function afterFault({ db, retries, log }: ClaimedDeps, job: ClaimedJob, error: unknown): Promise<Outcome> {
  // Nothing can be decided about the job without its table: the queue offers it again when the database is back.
  if (isConnectionFault(error)) throw error
  const { jobId, attempts } = job.claim
  const decision = decideRetry(retries, job.kind, attempts, error)
  log.warn({ jobId, kind: job.kind, attempts, retry: decision.retry, error }, 'job attempt failed')
  if (decision.retry && job.mayRetry?.() !== false) {
    await retryLater(db, job.claim, toFault(error), decision)
    return 'retrying'
  }
  await job.fail(toFault(error))
  return 'failed'
}
