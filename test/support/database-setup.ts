import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { stopLeftoverPostgres } from '../../src/platform/database/embedded/leftover-postgres.ts'
import { findPostgresHome } from '../../src/platform/database/embedded/postgres-home.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createLogger, type Logger } from '../../src/platform/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const PREFIX = 'lipik-test-'
const OWNER = 'owner'

/** One PostgreSQL for the whole run, and in it a migrated database that every test file gets a copy of. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const log = createLogger({ level: 'warn' })
  await clearKilledRuns(log)
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX))
  await writeFile(join(dataDir, OWNER), String(process.pid))
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

/** A run that was killed could not stop its server; the next one does. */
async function clearKilledRuns(log: Logger): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dataDir = join(tmpdir(), name)
    const owner = name.startsWith(PREFIX) && (await readFile(join(dataDir, OWNER), 'utf8').catch(() => ''))
    if (!owner || isRunning(Number(owner))) continue
    const home = await findPostgresHome(dataDir).catch(() => undefined)
    if (home) await stopLeftoverPostgres(join(home, 'cluster'), log)
    await rm(dataDir, { recursive: true, force: true })
    await rm(`${dataDir}-system`, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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
