import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { lockFolder } from '../../folder-lock.ts'
import type { Logger } from '../../log.ts'
import { createCluster, DATABASE_USER } from './create-cluster.ts'
import { diskFull, explainDiskFault } from './explain-disk-fault.ts'
import { KeepRunning } from './keep-running.ts'
import { stopLeftoverPostgres } from './leftover-postgres.ts'
import { unpackPostgres } from './postgres-binaries.ts'
import { findPostgresHome, openPostgresHome, type PostgresHome } from './postgres-home.ts'
import { startPostgresProcess } from './postgres-process.ts'
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
  readonly onGiveUp: (cause: unknown) => void
  /** false, for tests: a crash of the machine may lose data, and every write is quicker. */
  readonly durable?: boolean
  /** Where root's database lives when the server's user cannot enter `dataDir`. */
  readonly systemFolder?: string
}

const DATABASE = 'lipik'
const BYTES_TO_CREATE = 160 * 1024 * 1024
const BYTES_TO_START = 32 * 1024 * 1024
const STOP_PATIENCE_MS = 5_000

/**
 * PostgreSQL as a child of this process, on data in `dataDir`, made on first use. One service per folder; a server that
 * a killed service left behind is stopped first; a server that dies is started again and recovers.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await openPostgresHome(options.dataDir, options.systemFolder)
  const lock = await lockFolder(home.folder)
  try {
    const { start, socketFolder } = await prepare(home, options)
    const url = urlOf(socketFolder, DATABASE)
    const first = await start()
    const running = new KeepRunning({ first, start, onGiveUp: options.onGiveUp, onDeath: reportDeath(options) })
    const end = async () => {
      await running.stop(STOP_PATIENCE_MS)
      await rm(socketFolder, { recursive: true, force: true })
    }
    await createDatabase(url).catch((error) => end().then(() => Promise.reject(error)))
    return { url, stop: () => end().finally(() => lock.release()) }
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

async function prepare(home: PostgresHome, { durable = true, log }: EmbeddedPostgresOptions) {
  await refuseFullDisk(home)
  await stopLeftoverPostgres(home.cluster, log)
  const binaries = await unpackPostgres(home.folder)
  await createCluster(home, binaries, durable)
  const socketFolder = await makeSocketFolder(home)
  const start = async () => {
    await stopLeftoverPostgres(home.cluster, log)
    return startPostgresProcess({ program: binaries.postgres, home, socketFolder, durable, log })
  }
  return { start, socketFolder }
}

const reportDeath =
  ({ log, onRestart }: EmbeddedPostgresOptions) =>
  (lastWords: string) => {
    log.error({ lastWords }, 'PostgreSQL died and is started again')
    onRestart?.()
  }

/** Said before anything is written. A database that exists gets by with room for its log: it may be needed to delete things. */
async function refuseFullDisk({ folder, cluster }: PostgresHome): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = await stat(cluster).then(
    () => BYTES_TO_START,
    () => BYTES_TO_CREATE,
  )
  if (bavail * bsize < needed) throw diskFull(folder)
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
