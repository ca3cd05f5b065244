import { readFile, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres.ts'
import { createLogger } from '../../src/platform/log.ts'

const log = createLogger({ level: 'silent' })

export const start = (
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres & { url: string }> =>
  startEmbeddedPostgres({
    dataDir,
    log,
    durable: false,
    systemFolder: `${dataDir}-system`,
    onGiveUp: () => undefined,
    ...options,
  })

export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined) // a server that is killed under it fails the query, which is what counts
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export const clusterOf = (url: string): string => join(dirname(new URL(url).searchParams.get('host') ?? ''), 'cluster')

export async function postmasterOf(url: string): Promise<number> {
  return Number((await readFile(join(clusterOf(url), 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** A process that has ended may stay listed until its parent asks: such a one works in no folder any more. */
export const isAlive = (pid: number): Promise<boolean> =>
  readlink(`/proc/${pid}/cwd`).then(
    () => true,
    () => false,
  )

/** Asks until the answer is yes. */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = 20_000): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not happen within ${patienceMs} ms: ${holds}`)
    await delay(20)
  }
}
