import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { JobKind } from './retry-policy.ts'

/**
 * Users take turns, however much each has waiting. Every job gets a turn number and the queue runs the lowest first. A user's
 * jobs get successive numbers; who has nothing waiting begins at the number now being served. So beside a user with ten
 * thousand files another's single file is next but one, and nobody can gain by splitting work into many batches.
 * (Start-time fair queueing, with a cost of one for each job.)
 */
export async function takeTurns(db: Kysely<Database>, userId: string, kind: JobKind, count: number): Promise<number> {
  const { rows } = await sql<{ first: string }>`
    insert into turns as mine (user_id, kind, last)
    values (${userId}, ${kind}, (${nowServed(kind)}) + ${count}::bigint)
    on conflict (user_id, kind) do update
      set last = greatest(mine.last, (${nowServed(kind)})) + ${count}::bigint
    returning last - ${count}::bigint + 1 as first`.execute(db)
  return Number(rows[0]?.first)
}

/** The lowest number still waiting; when nobody waits, the highest ever given. */
const nowServed = (kind: JobKind) => sql`
  select coalesce(
    (select min(turn) - 1 from jobs where status = 'queued' and kind = ${kind}),
    (select max(last) from turns where kind = ${kind}),
    0)`

/** The queue sorts equal priorities by due time: turns are written as moments long past, so that all are due. */
export const turnTime = (turn: number): Date => new Date(Date.UTC(2000, 0, 1) + turn)
