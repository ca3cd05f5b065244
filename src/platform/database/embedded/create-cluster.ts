import { chmod, chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { v7 } from 'uuid'
import { LipikError } from '../../errors.ts'
import { diskFull } from './explain-disk-fault.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { Account, PostgresHome } from './postgres-home.ts'
import { runProgram } from './run-program.ts'

export const DATABASE_USER = 'lipik'

/** Written into postgresql.conf, where the operator of a larger machine may change them. */
const TUNABLE = {
  shared_buffers: '128MB',
  maintenance_work_mem: '64MB',
  max_connections: '100',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
}

/**
 * Makes the data folder unless it is there, and refuses one of another major version. It appears under its name only
 * when whole: a start that is killed half-way leaves a folder the next start throws away.
 */
export async function createCluster(home: PostgresHome, binaries: PostgresBinaries, durable: boolean): Promise<void> {
  const version = await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(missingIsUndefined)
  if (version !== undefined) return refuseOtherMajor(home.cluster, version.trim(), binaries.major)
  await removeUnfinished(home)
  const unfinished = `${home.cluster}.${v7()}.unfinished`
  try {
    await initialise(unfinished, binaries, home.account, durable)
    await rename(unfinished, home.cluster)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
}

function refuseOtherMajor(cluster: string, found: string, needed: number): void {
  if (found === String(needed)) return
  throw new LipikError(
    'unavailable',
    `${cluster} holds data of PostgreSQL ${found}, and this Lipik brings PostgreSQL ${needed}. Nothing was changed. ` +
      'docs/database.md says how to move the data over',
  )
}

async function removeUnfinished({ folder }: PostgresHome): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.endsWith('.unfinished'))
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

async function initialise(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
  durable: boolean,
): Promise<void> {
  const runsAs = account && (await readListedAccount())
  await mkdir(folder)
  await chmod(folder, 0o700)
  if (runsAs) await chown(folder, runsAs.uid, runsAs.gid)
  const args = durable ? initdbArguments(folder) : [...initdbArguments(folder), '--no-sync']
  const result = await runProgram(binaries.initdb, args, { cwd: dirname(folder), account: runsAs })
  if (result.code !== 0) throw explainInitdb(folder, result.output)
  if (account) await giveAll(folder, account)
}

const initdbArguments = (folder: string) => [
  `--pgdata=${folder}`,
  `--username=${DATABASE_USER}`,
  // Who may open the socket is decided by the mode of its folder; there is no other way in.
  '--auth=trust',
  '--encoding=UTF8',
  // Built in: the order of text does not change with the machine's libraries.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
  ...Object.entries(TUNABLE).map(([name, value]) => `--set=${name}=${value}`),
]

/**
 * initdb alone insists on a user that the machine's list knows. It runs as `nobody` (or, failing that, anyone but root)
 * in a folder of its own; the finished data is then given to the server's account, which nobody else uses.
 */
async function readListedAccount(): Promise<Account> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const users = text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0)
  const user = users.find(({ name }) => name === 'nobody') ?? users[0]
  if (!user) throw new LipikError('unavailable', '/etc/passwd names no user but root: add one, or set DATABASE_URL')
  return { uid: user.uid, gid: user.gid }
}

async function giveAll(folder: string, { uid, gid }: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true })
  for (const entry of entries) await chown(join(folder, entry), uid, gid)
  await chown(folder, uid, gid)
}

function explainInitdb(folder: string, output: string): LipikError {
  if (output.includes('No space left on device')) return diskFull(folder, output)
  const hint = output.includes('could not look up effective user ID')
    ? '. PostgreSQL needs the user to be listed in /etc/passwd: add it there, or set DATABASE_URL'
    : ''
  return new LipikError('unavailable', `the database folder could not be made: ${output.trim()}${hint}`)
}

function missingIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
