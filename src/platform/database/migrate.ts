import { runMigrations as migrateQueue, Logger as QueueLogger } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { LipikError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { openDatabase } from './database.ts'
import { allMigrations } from './migrations/all-migrations.ts'
import type { Migration } from './migrations/migration.ts'

/** Any number will do as long as nobody else on the server takes it: the letters of "lipik". */
const LOCK_KEY = 0x6c6970696b

const OLDEST_SERVER = 14

export type MigrateOptions = { readonly url: string; readonly log: Logger; readonly migrations?: readonly Migration[] }

/**
 * Brings tables and job queue up to date. Any number of processes may call this at once: one works, the others wait for
 * its lock and find nothing left to do. The lock belongs to the connection, so it goes when its holder dies.
 */
export async function migrate({ url, log, migrations = allMigrations }: MigrateOptions): Promise<void> {
  const { db, pool, close } = openDatabase({
    url,
    log,
    maxConnections: 3,
    statementTimeoutMs: 0,
    applicationName: 'lipik migrate',
  })
  try {
    // Migrations speak of tables as they were: today's types must not reach them.
    const untyped = db as unknown as Kysely<unknown>
    await refuseOldServer(untyped).catch((error) => Promise.reject(explainConnection(error, url)))
    await db.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock(${LOCK_KEY})`.execute(holder)
      try {
        await runPending(untyped, migrations, log)
        await migrateQueueTables(pool, log)
      } finally {
        await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(holder)
      }
    })
  } finally {
    await close()
  }
}

/** Names the server but never the whole address: it may hold a password. */
function explainConnection(error: unknown, url: string): unknown {
  if (!(error instanceof LipikError) || !(error.cause instanceof Error)) return error
  const { host, searchParams } = new URL(url)
  // A refused connection to a name with several addresses has an empty message and only a code.
  const fault = error.cause.message || ('code' in error.cause && error.cause.code)
  const server = searchParams.get('host') ?? host
  return new LipikError('unavailable', `the database at ${server} does not answer: ${fault}`, { cause: error.cause })
}

async function refuseOldServer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: string; number: number }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number
  `.execute(db)
  const [server] = rows
  if (!server || server.number < OLDEST_SERVER * 10_000)
    throw new LipikError(
      'unavailable',
      `PostgreSQL ${OLDEST_SERVER} or newer is needed; this server is ${server?.version}`,
    )
}

async function runPending(db: Kysely<unknown>, migrations: readonly Migration[], log: Logger): Promise<void> {
  await sql`
    create table if not exists lipik_migrations (name text primary key, applied_at timestamptz not null default now())
  `.execute(db)
  const { rows } = await sql<{ name: string }>`select name from lipik_migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  refuseNewerDatabase(applied, migrations)
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    await db.transaction().execute(async (transaction) => {
      await migration.up(transaction)
      await sql`insert into lipik_migrations (name) values (${migration.name})`.execute(transaction)
    })
    log.info({ migration: migration.name }, 'database migrated')
  }
}

function refuseNewerDatabase(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new LipikError(
      'unavailable',
      `the database was made by a newer version of Lipik (it holds ${unknown.join(', ')}): update Lipik`,
    )
}

async function migrateQueueTables(pool: Pool, log: Logger): Promise<void> {
  const logger = new QueueLogger(() => (level, message) => log.debug({ level, message }, 'queue migration'))
  await migrateQueue({ pgPool: pool, logger })
  await sweepQueueOften(pool)
}

/**
 * Every job leaves dead rows that whoever looks for the next one steps over. The table is small and they are many: swept only when
 * a fifth of it is dead, as is usual, a batch of 10,000 files cost half as much again for each chunk as one of 100.
 */
async function sweepQueueOften(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `select 1 from pg_class where oid = 'graphile_worker._private_jobs'::regclass
     and 'autovacuum_vacuum_threshold=1000' = any (reloptions)`,
  )
  if (rows.length > 0) return
  await pool.query(
    `alter table graphile_worker._private_jobs
     set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0)`,
  )
}
