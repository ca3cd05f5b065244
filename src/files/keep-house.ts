import { type Kysely, sql } from 'kysely'
import { forgetOldAnswers } from '../platform/answer-once.ts'
import type { Database } from '../platform/database/schema.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Spool } from './spool.ts'
import { sweepSpool } from './sweep-spool.ts'
import { UPLOAD_MOVES } from './upload-moves.ts'

export type HouseDeps = {
  readonly db: Kysely<Database>
  readonly spool: Spool
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'filesWaiting' | 'pendingDeletions'>
}

/** A spool folder unseen for this long is not expected back. */
const GONE_AFTER = sql`interval '24 hours'`

/** What has to be looked at now and then, at the start first. */
export async function keepHouse(deps: HouseDeps): Promise<void> {
  const { db, spool, log } = deps
  await markSpoolSeen(db, spool)
  const removed = await sweepSpool(db, spool)
  if (removed > 0) log.info({ removed }, 'spool files without an upload removed')
  const abandoned = await abandonLostSpools(db)
  if (abandoned > 0) log.warn({ abandoned }, 'uploads failed because their spool folder is gone')
  await forgetOldAnswers(db)
  await measure(deps)
}

async function markSpoolSeen(db: Kysely<Database>, { id }: Spool): Promise<void> {
  const seen = { seen_at: sql<Date>`now()` }
  await db
    .insertInto('spools')
    .values({ id, ...seen })
    .onConflict((same) => same.column('id').doUpdateSet(seen))
    .execute()
}

/** A machine that never comes back would leave its users waiting for ever. */
async function abandonLostSpools(db: Kysely<Database>): Promise<number> {
  const { from, to } = UPLOAD_MOVES.abandon
  const lost = db
    .selectFrom('files')
    .innerJoin('spools', 'spools.id', 'files.spool_id')
    .select('files.id')
    .where('upload_status', '=', from)
    .where('seen_at', '<', sql<Date>`now() - ${GONE_AFTER}`)
    .forUpdate('files')
    .skipLocked()
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ upload_status: to, last_error: 'the server that received the file is gone' })
    .where('id', 'in', lost)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function measure({ db, spool, metrics }: HouseDeps): Promise<void> {
  const waiting = await db
    .selectFrom('files')
    .select(['upload_status', ({ fn }) => fn.countAll<number>().as('files')])
    .where('spool_id', '=', spool.id)
    .where('upload_status', 'in', ['pending', 'uploading'])
    .groupBy('upload_status')
    .execute()
  for (const upload_status of ['pending', 'uploading'] as const) {
    const found = waiting.find((row) => row.upload_status === upload_status)
    metrics.filesWaiting.set({ upload_status }, Number(found?.files ?? 0))
  }
  const deletions = await db
    .selectFrom('pending_deletions')
    .select(({ fn }) => fn.countAll<number>().as('objects'))
    .executeTakeFirstOrThrow()
  metrics.pendingDeletions.set(Number(deletions.objects))
}
