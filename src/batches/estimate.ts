import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'

/** What one slot manages on a modest processor, until a worker has measured better. */
const ASSUMED_SPEED = 2

export type Load = { readonly jobs: number; readonly audioSeconds: number }

/** Everything that has not ended. Chunks count as jobs; the audio is counted once, by its files. */
export async function currentLoad(db: Kysely<Database>): Promise<Load> {
  const { rows } = await sql<Load>`
    select count(*) as jobs, coalesce(sum(audio_seconds) filter (where kind = 'file'), 0) as "audioSeconds"
    from jobs where status in ('queued', 'processing', 'retrying')`.execute(db)
  return rows[0] ?? { jobs: 0, audioSeconds: 0 }
}

/** Audio seconds a second that the live chunk workers manage together; one assumed slot when none is there yet. */
export async function currentSpeed(db: Kysely<Database>, silentSeconds: number): Promise<number> {
  const { rows } = await sql<{ speed: number | null }>`
    select sum(slots * coalesce(speed, (select speed from measured_speed), ${ASSUMED_SPEED}))::float8 as speed
    from workers where mode = 'chunk' and seen_at > now() - make_interval(secs => ${silentSeconds})`.execute(db)
  const [live] = rows
  return live?.speed ?? ASSUMED_SPEED
}
