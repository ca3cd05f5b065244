import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const Holder = z.object({ pid: z.int(), host: z.string(), token: z.string() })
type Holder = z.infer<typeof Holder>

const BEAT_MS = 2_000
/** A holder on another machine that shares the folder is dead when it has not touched the lock for this long. */
const SILENT_MS = 20_000
const LOOK_AGAIN_MS = 250

/**
 * Runs `work` while no other process does the same in `dir`. The lock dies with its holder: at once when that process
 * ran on this machine, after some seconds of silence otherwise.
 */
export async function withDownloadLock<T>(
  dir: string,
  work: () => Promise<T>,
  options: { readonly onWait?: (holderPid: number) => void; readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  await mkdir(dir, { recursive: true })
  const path = join(dir, '.lock')
  const mine: Holder = { pid: process.pid, host: hostname(), token: randomUUID() }
  let told = false
  while (!(await take(path, mine))) {
    const holder = await readHolder(path)
    if (holder && !told) options.onWait?.(holder.pid)
    told ||= holder !== undefined
    if (await isDead(path, holder)) await removeDead(path, holder)
    else await delay(LOOK_AGAIN_MS, undefined, { ...(options.signal && { signal: options.signal }) })
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if ((await readHolder(path))?.token === mine.token) await unlink(path).catch(() => undefined)
  }
}

/** Written beside and linked into place: a lock is never seen without its holder's name in it. */
async function take(path: string, mine: Holder): Promise<boolean> {
  const beside = `${path}.${mine.token}`
  await writeFile(beside, JSON.stringify(mine))
  try {
    await link(beside, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(beside).catch(() => undefined)
  }
}

async function isDead(path: string, holder: Holder | undefined): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return false
  if (holder?.host === hostname()) return !isAlive(holder.pid)
  return Date.now() - found.mtimeMs > SILENT_MS
}

/** Two may find the same dead lock: what was moved away is looked at, and a living one is put back. */
async function removeDead(path: string, dead: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await readHolder(aside))?.token !== dead?.token) await link(aside, path).catch(() => undefined)
  await unlink(aside).catch(() => undefined)
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return Holder.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
