import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'

export type WorkerMode = 'file' | 'chunk'
export type WorkerPulse = {
  readonly id: string
  readonly mode: WorkerMode
  readonly slots: number
  readonly speed: number | undefined
}

/** Writes that the worker lives; also after it was taken for dead, since it evidently is not. */
export async function beat(db: Kysely<Database>, { id, mode, slots, speed }: WorkerPulse): Promise<void> {
  await sql`
    insert into workers (id, mode, slots, speed) values (${id}, ${mode}, ${slots}, ${speed ?? null})
    on conflict (id) do update set seen_at = now(), speed = excluded.speed`.execute(db)
  if (speed === undefined) return
  await sql`
    insert into measured_speed (speed) values (${speed})
    on conflict (only_row) do update set speed = excluded.speed, measured_at = now()`.execute(db)
}

/** A worker that leaves in good order is not waited for: what it may still hold is unlocked, the next sweep requeues it. */
export async function signOff(db: Kysely<Database>, id: string): Promise<void> {
  await transact(db, async (trx) => {
    await trx.deleteFrom('workers').where('id', '=', id).execute()
    await sql`select graphile_worker.force_unlock_workers(${[id]})`.execute(trx)
  })
}
