import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, pingDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { allMigrations } from '../../src/platform/database/migrations/all-migrations.ts'
import type { Migration } from '../../src/platform/database/migrations/migration.ts'
import type { Database } from '../../src/platform/database/schema.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/embedded-postgres.ts'
import { runDatabaseChild } from '../support/run-database-child.ts'

const log = createLogger({ level: 'silent' })

/** Fails when it runs twice, and takes long enough for the others to arrive. */
const once = (name: string): Migration => ({
  name,
  up: async (db) => {
    await sql`select pg_sleep(0.2)`.execute(db)
    await sql`create table ${sql.table(name)} (id int)`.execute(db)
  },
})

/** Five processes that start at once on a busy machine take their time. */
const PROCESS_PATIENCE_MS = 90_000

async function openGateFor(visitors: number, holder: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_lock(1)`.execute(holder)
  const waiting = sql<{ count: number }>`
    select count(*) from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and objid = 1 and not granted
  `
  await until(async () => (await waiting.execute(holder)).rows[0]?.count === visitors, PROCESS_PATIENCE_MS)
  await sql`select pg_advisory_unlock(1)`.execute(holder)
}

describe('migrate', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  it('has made the tables of the queue', async () => {
    const { rows } = await sql<{ jobs: number }>`select count(*) as jobs from graphile_worker.jobs`.execute(database.db)
    expect(rows).toEqual([{ jobs: 0 }])
  })

  it('has the queue swept by the number of its dead rows, not by their share', async () => {
    const { rows } = await sql<{ options: string[] }>`
      select reloptions as options from pg_class where oid = 'graphile_worker._private_jobs'::regclass
    `.execute(database.db)
    expect(rows[0]?.options).toEqual(
      expect.arrayContaining(['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=1000']),
    )
  })

  it('answers a ping', () => expect(pingDatabase(database.db)).resolves.toBeUndefined())

  it('runs each migration once when five start together', async () => {
    const migrations = [...allMigrations, once('first'), once('second')]
    await Promise.all([1, 2, 3, 4, 5].map(() => migrate({ url: database.url, log, migrations })))
    const { rows } = await sql<{ name: string }>`
      select name from lipik_migrations where name in ('first', 'second') order by applied_at
    `.execute(database.db)
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second'])
  })

  it(
    'leaves every migration applied once when five processes start on an empty database',
    async () => {
      const url = new URL(database.url)
      await sql`create database migrated_by_five`.execute(database.db)
      url.pathname = '/migrated_by_five'
      const empty = openDatabase({ url: url.href, log })
      const children = Promise.all([1, 2, 3, 4, 5].map(() => runDatabaseChild(['migrate', url.href])))
      await empty.db.connection().execute((holder) => openGateFor(5, holder))
      expect((await children).map(({ said }) => said)).toEqual(Array(5).fill('done'))
      const { rows } = await sql<{ name: string }>`select name from lipik_migrations order by applied_at`.execute(
        empty.db,
      )
      await empty.close()
      await sql`drop database migrated_by_five with (force)`.execute(database.db)
      expect(rows.map(({ name }) => name)).toEqual(allMigrations.map(({ name }) => name))
    },
    PROCESS_PATIENCE_MS,
  )

  it('says which server does not answer, without its password', async () => {
    const url = 'postgresql://asha:hidden@127.0.0.1:1/lipik'
    const failure = await migrate({ url, log }).catch(String)
    expect(failure).toContain('the database at 127.0.0.1:1 does not answer')
    expect(failure).not.toContain('hidden')
  })

  it('undoes a migration that fails and says why', async () => {
    const broken: Migration = {
      name: 'broken',
      up: async (db) => {
        await sql`create table half (id int)`.execute(db)
        await sql`select 1 / 0`.execute(db)
      },
    }
    const migrations = [...allMigrations, once('first'), once('second'), broken]
    await expect(migrate({ url: database.url, log, migrations })).rejects.toThrow('division by zero')
    const { rows } = await sql<{ half: string | null }>`select to_regclass('half') as half`.execute(database.db)
    expect(rows).toEqual([{ half: null }])
  })

  it('refuses a database that a newer version made', async () => {
    await expect(migrate({ url: database.url, log })).rejects.toThrow('newer version of Lipik (it holds first, second)')
  })
})
