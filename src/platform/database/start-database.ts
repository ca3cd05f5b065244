import { LipikError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate.ts'

export type StartDatabaseOptions = {
  /** A server to use. Without one PostgreSQL is started in `dataDir`. */
  readonly url: string | undefined
  readonly dataDir: string
  readonly log: Logger
  readonly maxConnections?: number
  /** The embedded server died and is being started again. */
  readonly onRestart?: () => void
  /** The embedded server does not stay up: the service cannot go on. */
  readonly onGiveUp: (cause: unknown) => void
  /** false, for tests: a crash of the machine may lose what the embedded server was told. */
  readonly durable?: boolean
  /** Where root's data lives when the server's user cannot enter `dataDir`; the system's own place by default. */
  readonly systemFolder?: string
}

export type StartedDatabase = OpenDatabase & { readonly url: string }

/** What the service stands on: a server that runs, tables that are up to date, connections to it. */
export async function startDatabase(options: StartDatabaseOptions): Promise<StartedDatabase> {
  if (options.url !== undefined) return connect(options, options.url)
  const server = await startEmbeddedPostgres(options)
  try {
    const database = await connect(options, server.url)
    return { ...database, close: () => database.close().finally(() => server.stop()) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** For a process beside the service: the same database, of which it is a guest. It never starts or stops a server. */
export async function joinDatabase(options: Omit<StartDatabaseOptions, 'onGiveUp'>): Promise<StartedDatabase> {
  const url = options.url ?? (await findRunningPostgres(options.dataDir))
  if (url === undefined)
    throw new LipikError('unavailable', `no service runs on ${options.dataDir}: start it first, or set DATABASE_URL`)
  return connect(options, url)
}

async function connect({ log, maxConnections }: Omit<StartDatabaseOptions, 'onGiveUp'>, url: string) {
  await migrate({ url, log })
  const database = openDatabase({ url, log, ...(maxConnections !== undefined && { maxConnections }) })
  return { ...database, url }
}
