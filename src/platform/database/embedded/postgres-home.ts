import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LipikError } from '../../errors.ts'
import { explainDiskFault } from './explain-disk-fault.ts'

/** A user by number. It needs no entry in the machine's user list, so nothing has to be added there. */
export type Account = { readonly uid: number; readonly gid: number }

export type PostgresHome = {
  /** Holds the data (`cluster`), the programs and the socket. */
  readonly folder: string
  readonly cluster: string
  /** Who PostgreSQL runs as where the service is root, which PostgreSQL refuses to be; undefined: as the service itself. */
  readonly account: Account | undefined
}

/** Between the range of people and the range systemd gives out: no distribution assigns it. */
const SERVER_ACCOUNT: Account = { uid: 60_937, gid: 60_937 }

const POINTER = 'postgres-location'
const SYSTEM_FOLDER = '/var/lib/lipik'

/**
 * Where the database of `dataDir` lives, and as whom. An ordinary user keeps it in `dataDir/postgres`. So does root if
 * every folder above is open to the server's account; otherwise (a checkout below a home of mode 700) it lives in a
 * system folder, and the file `postgres-location` in `dataDir` says where.
 */
export async function openPostgresHome(dataDir: string, systemFolder = SYSTEM_FOLDER): Promise<PostgresHome> {
  try {
    await mkdir(dataDir, { recursive: true })
    const folder = await chooseFolder(await realpath(dataDir), systemFolder)
    const cluster = join(folder, 'cluster')
    const account = await chooseAccount(cluster)
    if (account) await refuseUnreachable(folder, account)
    return { folder, cluster, account }
  } catch (error) {
    throw explainDiskFault(error, dataDir)
  }
}

/** The home that was opened before, for those who look without wanting to make one. */
export async function findPostgresHome(dataDir: string): Promise<string | undefined> {
  const pointer = await readPointer(dataDir)
  return (
    pointer ??
    ((await statOrUndefined(join(dataDir, 'postgres')))?.isDirectory() ? join(dataDir, 'postgres') : undefined)
  )
}

async function chooseFolder(dataDir: string, systemFolder: string): Promise<string> {
  const elsewhere = await readPointer(dataDir)
  if (elsewhere) return elsewhere
  const inside = join(dataDir, 'postgres')
  if (await statOrUndefined(join(inside, 'cluster'))) return inside
  if (isRoot() && (await closedFolderAbove(inside, SERVER_ACCOUNT))) return moveOut(dataDir, systemFolder)
  await makeFolder(inside)
  return inside
}

/** A random name, not one made from the path: a new data folder in an old one's place must begin empty. */
async function moveOut(dataDir: string, systemFolder: string): Promise<string> {
  const folder = join(systemFolder, `postgres-${randomBytes(6).toString('hex')}`)
  await mkdir(systemFolder, { recursive: true })
  await chmod(systemFolder, 0o755)
  await makeFolder(folder)
  await writeFile(join(folder, 'data-dir'), `${dataDir}\n`)
  // The first to write the pointer decides; a service that started at the same moment follows it.
  await writeFile(join(dataDir, POINTER), `${folder}\n`, { flag: 'wx' }).catch(ignoreExisting)
  return (await readPointer(dataDir)) ?? folder
}

async function readPointer(dataDir: string): Promise<string | undefined> {
  const pointer = join(dataDir, POINTER)
  const text = await readFile(pointer, 'utf8').catch(missingIsUndefined)
  const folder = text?.trim()
  if (!folder) return undefined
  if (!(await statOrUndefined(folder)))
    throw new LipikError(
      'unavailable',
      `the database of ${dataDir} lives in ${folder}, as ${pointer} says, but that folder is not there: bring it back, ` +
        'or delete the pointer file to begin with an empty database',
    )
  return folder
}

/** Data that is already there keeps its owner: PostgreSQL serves a folder only to the one who owns it. */
async function chooseAccount(cluster: string): Promise<Account | undefined> {
  const owner = await statOrUndefined(cluster)
  if (isRoot()) return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : SERVER_ACCOUNT
  if (owner && owner.uid !== process.getuid?.())
    throw new LipikError(
      'unavailable',
      `the database in ${cluster} belongs to user ${owner.uid}, and this is user ${process.getuid?.()}: ` +
        'run Lipik as that user or as root, or use another DATA_DIR',
    )
  return undefined
}

async function refuseUnreachable(folder: string, account: Account): Promise<void> {
  const closed = await closedFolderAbove(folder, account)
  if (!closed) return
  throw new LipikError(
    'unavailable',
    `PostgreSQL runs as user ${account.uid} and cannot reach its data in ${folder}, because ${closed} is closed to it: ` +
      `open it with "chmod o+x ${closed}", or move the data folder`,
  )
}

async function closedFolderAbove(path: string, account: Account): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await stat(folder)
    const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001
    if ((found.mode & bit) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** Root's is open for passing through: inside, the data and the socket have their own, closed, folders. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, isRoot() ? 0o711 : 0o700)
}

const isRoot = () => process.getuid?.() === 0

const statOrUndefined = (path: string) => stat(path).catch(missingIsUndefined)

function missingIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
