import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** What the readiness check asks: resolves when the queue's tables are there and can be read. */
export async function pingQueue(db: Kysely<Database>): Promise<void> {
  await sql`select 1 from graphile_worker.jobs limit 1`.execute(db)
}
