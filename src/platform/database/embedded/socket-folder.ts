import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LipikError } from '../../errors.ts'
import type { PostgresHome } from './postgres-home.ts'

/** A socket's path may have 103 bytes on every system we run on; PostgreSQL adds its name and that of its lock file. */
const LONGEST_PATH = 80

/** A folder only the server's user (and root) can enter: being able to enter it is what lets a client in. */
export async function makeSocketFolder({ folder, account }: PostgresHome): Promise<string> {
  const inside = join(folder, 'run')
  const target = Buffer.byteLength(inside) <= LONGEST_PATH ? inside : shortFolder(folder)
  const owner = account ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  await mkdir(target, { mode: 0o700 }).catch(ignoreExisting)
  // The temporary folder is everybody's: what lies there under our name may be someone else's trap.
  const found = await lstat(target)
  if (!found.isDirectory() || (found.uid !== process.getuid?.() && found.uid !== owner.uid))
    throw new LipikError('unavailable', `${target} is in the way of the database's socket: remove it`)
  await chmod(target, 0o700)
  await chown(target, owner.uid, owner.gid)
  return target
}

const shortFolder = (folder: string) =>
  join('/tmp', `lipik-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`)

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
