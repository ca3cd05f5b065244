import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { v7 } from 'uuid'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/log.ts'

export type TestDatabase = OpenDatabase & { readonly url: string }

const LEAK_PATIENCE_MS = 3_000

/**
 * A migrated, empty database of one's own on the run's PostgreSQL. Call it in `beforeAll`, and `close()` in `afterAll`:
 * that fails when a connection other than this one's is still open, and the run fails when a database is left.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const template = inject('postgresUrl')
  const name = `test_${v7().replaceAll('-', '_')}`
  await administer(template, `create database ${name} template lipik`)
  const url = withDatabase(template, name)
  const log = createLogger({ level: 'error' })
  const open = openDatabase({ url, log })
  const close = async (): Promise<void> => {
    await open.close()
    const leaked = await connectionsLeft(template, name)
    await administer(template, `drop database ${name} with (force)`)
    if (leaked.length > 0) throw new Error(`connections left open to the test database: ${leaked.join(', ')}`)
  }
  return { ...open, url, close }
}

/** The template must have no visitors while it is copied, so all of this happens in PostgreSQL's own database. */
async function administer<Row>(template: string, statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: withDatabase(template, 'postgres') })
  await client.connect()
  try {
    return (await client.query(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** A server takes a moment to notice that a client has gone; what is there after that was never closed. */
async function connectionsLeft(template: string, name: string): Promise<string[]> {
  const deadline = performance.now() + LEAK_PATIENCE_MS
  for (;;) {
    const rows = await administer<{ application_name: string }>(
      template,
      'select application_name from pg_stat_activity where datname = $1',
      [name],
    )
    if (rows.length === 0 || performance.now() > deadline) return rows.map((row) => row.application_name)
    await delay(50)
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
