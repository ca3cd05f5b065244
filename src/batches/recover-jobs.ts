import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { endChunk } from './end-chunk.ts'
import { endFile, type ObjectRule } from './end-file.ts'
import { waiting } from './give-back.ts'
import { WORKER_LOST } from './job-fault.ts'
import { move } from './job-state.ts'
import { type JobKind, mayRunAgain, type RetrySettings } from './retry-policy.ts'

export type Recovered = { readonly workers: number; readonly requeued: number; readonly failed: number }

type LostJob = {
  readonly id: string
  readonly kind: JobKind
  readonly fence: number
  readonly attempts: number
  readonly turn: number
  readonly phase: string | null
}

/**
 * Finds workers that have not been heard of for `silentSeconds` and gives what they held to others. Any number of processes may
 * do this at once. A job that has lost its worker as often as it may be tried fails, so that it cannot kill workers for ever.
 */
export async function recoverJobs(
  db: Kysely<Database>,
  settings: RetrySettings & ObjectRule,
  silentSeconds: number,
): Promise<Recovered> {
  const workers = await buryWorkers(db, silentSeconds)
  const { requeued, hopeless } = await transact(db, async (trx) => {
    const lost = await findLost(trx)
    const again = lost.filter(({ kind, attempts }) => mayRunAgain(settings, kind, attempts))
    await requeue(trx, again)
    return { requeued: again.length, hopeless: lost.filter((job) => !again.includes(job)) }
  })
  for (const job of hopeless) await giveUp(db, job, settings)
  return { workers, requeued, failed: hopeless.length }
}

async function buryWorkers(db: Kysely<Database>, silentSeconds: number): Promise<number> {
  return transact(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      delete from workers where seen_at < now() - make_interval(secs => ${silentSeconds}) returning id`.execute(trx)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await unlock(trx, ids)
    return ids.length
  })
}

/**
 * A job that was enqueued again while its worker held it has lost its key and will not run any more; its worker would have
 * removed it. Unlocked, it would lie in the queue for ever.
 */
async function unlock(trx: Transaction<Database>, workers: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${[...workers]})`.execute(trx)
  await sql`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where key is null and locked_at is null and attempts >= max_attempts))`.execute(
    trx,
  )
}

/** Files before chunks, and each in order: the order in which everybody locks. */
async function findLost(trx: Transaction<Database>): Promise<LostJob[]> {
  const { rows } = await sql<LostJob>`
    select id, kind, fence, attempts, turn, phase from jobs
    where worker_id is not null and status = 'processing'
      and not exists (select 1 from workers where workers.id = jobs.worker_id)
    order by kind desc, id
    limit 1000 for update skip locked`.execute(trx)
  return rows
}

async function requeue(trx: Transaction<Database>, jobs: readonly LostJob[]): Promise<void> {
  if (jobs.length === 0) return
  const ids = jobs.map(({ id }) => id)
  await sql`update jobs set status = ${move('handBack').to}, worker_id = null where id = any(${ids})`.execute(trx)
  await enqueue(
    trx,
    jobs.map((job) => waiting(job.kind, job.id, job)),
  )
}

async function giveUp(db: Kysely<Database>, { id, kind, fence, attempts }: LostJob, rule: ObjectRule): Promise<void> {
  const claim = { jobId: id, fence, attempts }
  if (kind === 'chunk') await endChunk(db, claim, { fault: WORKER_LOST })
  else await endFile(db, claim, { move: 'fail', fault: WORKER_LOST }, rule)
}
