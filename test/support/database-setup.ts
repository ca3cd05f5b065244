import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createLogger } from '../../src/platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run, and in it a migrated database that every test file gets a copy of. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lipik-test-'))
  const log = createLogger({ level: 'warn' })
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    durable: false,
    systemFolder: `${dataDir}-system`,
    onGiveUp: (cause) => log.fatal({ cause }, 'the PostgreSQL of the tests does not stay up'),
  })
  await migrate({ url: server.url, log })
  provide('postgresUrl', server.url)
  return async () => {
    const leaked = await leftDatabases(server.url)
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
    await rm(`${dataDir}-system`, { recursive: true, force: true })
    if (leaked.length > 0) throw new Error(`test files left databases behind: ${leaked.join(', ')}`)
  }
}

async function leftDatabases(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'test\\_%'",
  )
  await client.end()
  return rows.map(({ datname }) => datname)
}
