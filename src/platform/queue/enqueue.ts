import { type Kysely, sql } from 'kysely'

export type QueuedJob = {
  readonly task: string
  readonly payload: Readonly<Record<string, unknown>>
  /** A second job under the same key replaces the first while that one waits. */
  readonly key: string
  readonly priority: number
  readonly runAt?: Date
}

/** All of them in one statement, inside the caller's transaction: they exist if and only if its other writes do. */
export async function enqueue<DB>(db: Kysely<DB>, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return
  const specs = JSON.stringify(
    jobs.map(({ task, payload, key, priority, runAt }) => ({ task, payload, key, priority, run_at: runAt ?? null })),
  )
  await sql`
    select count(*) from graphile_worker.add_jobs(array(
      select row(spec.task, spec.payload, null, spec.run_at, ${MAX_ATTEMPTS}, spec.key, spec.priority, null)::graphile_worker.job_spec
      from json_to_recordset(${specs}::json) as spec(task text, payload json, key text, priority smallint, run_at timestamptz)
    ))`.execute(db)
}

/** How often the queue itself offers a job again when even noting its failure failed, as while the database restarts. */
const MAX_ATTEMPTS = 1000
