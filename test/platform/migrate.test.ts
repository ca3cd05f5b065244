import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pingDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { allMigrations } from '../../src/platform/database/migrations/all-migrations.ts'
import type { Migration } from '../../src/platform/database/migrations/migration.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

const log = createLogger({ level: 'silent' })

/** Fails when it runs twice, and takes long enough for the others to arrive. */
const once = (name: string): Migration => ({
  name,
  up: async (db) => {
    await sql`select pg_sleep(0.2)`.execute(db)
    await sql`create table ${sql.table(name)} (id int)`.execute(db)
  },
})

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

  it('answers a ping', () => expect(pingDatabase(database.db)).resolves.toBeUndefined())

  it('runs each migration once when five start together', async () => {
    const migrations = [...allMigrations, once('first'), once('second')]
    await Promise.all([1, 2, 3, 4, 5].map(() => migrate({ url: database.url, log, migrations })))
    const { rows } = await sql<{ name: string }>`
      select name from lipik_migrations where name in ('first', 'second') order by applied_at
    `.execute(database.db)
    expect(rows.map(({ name }) => name)).toEqual(['first', 'second'])
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
