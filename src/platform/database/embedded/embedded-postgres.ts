import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type FolderLock, lockFolder } from '../../folder-lock.ts'
import type { Logger } from '../../log.ts'
import { createCluster, DATABASE_USER } from './create-cluster.ts'
import { diskFull, explainDiskFault } from './explain-disk-fault.ts'
import { allGone, stopLeftoverPostgres } from './leftover-postgres.ts'
import { unpackPostgres } from './postgres-binaries.ts'
import { findPostgresHome, openPostgresHome, type PostgresHome } from './postgres-home.ts'
import { type PostgresProcess, startPostgresProcess } from './postgres-process.ts'
import { readPostmaster } from './postmaster-file.ts'
import { makeSocketFolder } from './socket-folder.ts'

export type EmbeddedPostgres = {
  /** A connection string, as good as DATABASE_URL; the same for the whole life of the service, restarts included. */
  readonly url: string
  /** Ends the server and gives the folder back. Close the connections first, or they are cut. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  readonly dataDir: string
  readonly log: Logger
  /** Called each time the server died and is being started again. */
  readonly onRestart?: () => void
  /** The server does not stay up: the service cannot go on. */
  readonly onGiveUp?: (error: unknown) => void
  /** false, for tests: a crash of the machine may lose data, and every write is quicker. */
  readonly durable?: boolean
  /** Where root's database lives when the server's user cannot enter `dataDir`. */
  readonly systemFolder?: string
}

const DATABASE = 'lipik'
const NEEDED_BYTES = 128 * 1024 * 1024
const STOP_PATIENCE_MS = 5_000
const MAX_RESTARTS_A_MINUTE = 5

/**
 * PostgreSQL as a child of this process, on data in `dataDir`, made on first use. One service per folder; a server that
 * a killed service left behind is stopped first; a server that dies is started again and recovers.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await openPostgresHome(options.dataDir, options.systemFolder)
  const lock = await lockFolder(home.folder)
  try {
    const start = await prepare(home, options)
    const server = await start()
    await createDatabase(server.url)
    return supervise({ ...server, start, lock, home }, options)
  } catch (error) {
    await lock.release()
    throw explainDiskFault(error, home.folder)
  }
}

/** The server of a service that runs now on this folder, for a command that wants to talk to the same database. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const folder = await findPostgresHome(dataDir)
  const postmaster = folder && (await readPostmaster(join(folder, 'cluster')))
  if (!postmaster) return undefined
  const url = urlOf(postmaster.socketFolder, DATABASE)
  return (await connects(url)) ? url : undefined
}

type Running = { readonly process: PostgresProcess; readonly url: string }

async function prepare(home: PostgresHome, { durable = true, log }: EmbeddedPostgresOptions) {
  await refuseFullDisk(home.folder)
  const binaries = await unpackPostgres(home.folder)
  await createCluster(home, binaries, durable)
  return async (): Promise<Running> => {
    await stopLeftoverPostgres(home.cluster, log)
    const socketFolder = await makeSocketFolder(home)
    const process = await startPostgresProcess({ program: binaries.postgres, home, socketFolder, durable, log })
    return { process, url: urlOf(socketFolder, DATABASE) }
  }
}

async function refuseFullDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < NEEDED_BYTES) throw diskFull(folder)
}

const urlOf = (socketFolder: string, database: string) =>
  `postgresql://${DATABASE_USER}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`

async function createDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url.replace(`/${DATABASE}?`, '/postgres?') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

async function connects(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined) // said by connect() as well
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

type Supervised = Running & {
  readonly start: () => Promise<Running>
  readonly lock: FolderLock
  readonly home: PostgresHome
}

function supervise(
  { process, url, start, lock, home }: Supervised,
  options: EmbeddedPostgresOptions,
): EmbeddedPostgres {
  let current = process
  let stopping = false
  const restarts: number[] = []

  const watch = async (): Promise<void> => {
    for (;;) {
      const lastWords = await current.ended
      if (stopping) return
      options.log.error({ lastWords }, 'PostgreSQL died, starting it again')
      await allGone(home.cluster, STOP_PATIENCE_MS)
      current = await startAgain()
    }
  }

  const startAgain = async (): Promise<PostgresProcess> => {
    for (;;) {
      restarts.push(performance.now())
      options.onRestart?.()
      try {
        return (await start()).process
      } catch (error) {
        if (stopping || tooMany(restarts)) throw error
        options.log.error({ error }, 'PostgreSQL did not start, trying again')
        await delay(1_000)
      }
    }
  }

  const watching = watch().catch((error) => {
    if (!stopping) options.onGiveUp?.(error)
  })

  const stop = async (): Promise<void> => {
    stopping = true
    await current.stop(STOP_PATIENCE_MS)
    await watching
    await lock.release()
  }
  return { url, stop }
}

/** A server that dies again and again is not mended by starting it again. */
function tooMany(restarts: readonly number[]): boolean {
  const aMinuteAgo = performance.now() - 60_000
  return restarts.filter((at) => at > aMinuteAgo).length >= MAX_RESTARTS_A_MINUTE
}
