import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import { LipikError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Database } from './schema.ts'

export type DatabaseOptions = {
  /** postgresql://user@host/name; a socket folder goes into `?host=`. */
  readonly url: string
  readonly log: Logger
  readonly maxConnections?: number
  /** A statement longer than this is broken off by the server. 0: never, for migrations. */
  readonly statementTimeoutMs?: number
  readonly applicationName?: string
}

export type OpenDatabase = {
  readonly db: Kysely<Database>
  /** For what must share these connections but is not a query of ours, like the job queue. */
  readonly pool: Pool
  close(): Promise<void>
}

/** Counts the wait for a free connection as well: in a burst of requests the last one waits for all before it. */
const CONNECT_PATIENCE_MS = 30_000

/** While the server restarts or all connections are taken, the caller should come back, and a job is tried again. */
const notReachable = (cause: unknown) => new LipikError('unavailable', 'the database is not reachable now', { cause })

/** Connects lazily: opening succeeds with the server away, the first query tells. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = new Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? 'lipik',
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 60_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser },
  })
  // A broken connection is replaced by the pool and fails the query it was on; without listeners it would end the process.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) options.log.warn({ error }, 'an idle database connection broke')
  })
  pool.on('connect', (client) => {
    client.on('error', (error) => options.log.debug({ error }, 'a database connection broke'))
  })
  const connect = () => pool.connect().catch((cause) => Promise.reject(notReachable(cause)))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }) })
  const close = async () => {
    closing = true
    await db.destroy()
  }
  return { db, pool, close }
}

/** What the readiness check asks: resolves when the server answers, rejects when it does not. */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1`.execute(db)
}

const INT8 = 20

/** Counts and byte sizes are int8 and fit a number; the driver's default hands them out as strings. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 && format !== 'binary' ? parseInt8 : types.getTypeParser(oid, format as 'text')

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`)
  return value
}
