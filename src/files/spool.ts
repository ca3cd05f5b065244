import { createHash, randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { mkdir, readFile, rm, rmdir, statfs, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { LipikError } from '../platform/errors.ts'
import type { UploadBatchId } from '../platform/ids.ts'
import { type Spooled, writeSpoolFile } from './write-spool-file.ts'

const RETRY_AFTER_SECONDS = 60

export type SpoolOptions = {
  readonly folder: string
  /** Kept free on the disk, for the database and for what is already being received. */
  readonly minFreeBytes: number
}

export type SpooledFile = Spooled & { readonly path: string }

/**
 * Where uploads wait for storage: `{spool}/{owner}/{upload}/{position}`. The folder has an id of its own, which rows
 * remember, because it is local to a server while the database may be shared. The owner is the process that received.
 */
export class Spool {
  readonly id: string
  readonly owner: string
  readonly #root: string
  readonly #minFreeBytes: number
  readonly #receiving = new Set<string>()

  static async open({ folder, minFreeBytes }: SpoolOptions): Promise<Spool> {
    const root = resolve(folder)
    await mkdir(root, { recursive: true, mode: 0o700 })
    return new Spool(root, await readOrMakeId(join(root, 'spool.id')), minFreeBytes)
  }

  private constructor(root: string, id: string, minFreeBytes: number) {
    this.#root = root
    this.id = id
    this.owner = newOwner()
    this.#minFreeBytes = minFreeBytes
  }

  get root(): string {
    return this.#root
  }

  absolute(path: string): string {
    return join(this.#root, path)
  }

  async begin(batch: UploadBatchId): Promise<Receiving> {
    const folder = join(this.owner, batch)
    this.#receiving.add(folder)
    await mkdir(this.absolute(folder), { recursive: true, mode: 0o700 })
    return new Receiving(this, folder, () => this.#receiving.delete(folder))
  }

  isReceiving(folder: string): boolean {
    return this.#receiving.has(folder)
  }

  /** Asked before an upload and while it grows: a full disk would also stop the database. */
  async ensureRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#root)
    if (bavail * bsize - bytes < this.#minFreeBytes) throw diskFull()
  }

  /** Removing what is gone already is fine: a retry after a crash must be able to finish. */
  async remove(path: string): Promise<void> {
    await unlink(this.absolute(path)).catch(ignoreMissing)
    // Fails while other files of the upload wait beside it, as it should.
    await rmdir(dirname(this.absolute(path))).catch(() => {})
  }
}

/** One upload on its way in: either all of it is kept, or nothing. */
export class Receiving {
  readonly #spool: Spool
  readonly #folder: string
  readonly #done: () => void
  #files = 0

  constructor(spool: Spool, folder: string, done: () => void) {
    this.#spool = spool
    this.#folder = folder
    this.#done = done
  }

  async write(body: AsyncIterable<Buffer>, maxBytes: number): Promise<SpooledFile> {
    const path = join(this.#folder, String(this.#files))
    this.#files += 1
    const ensureRoom = () => this.#spool.ensureRoom(0)
    const spooled = await writeSpoolFile(this.#spool.absolute(path), body, { maxBytes, ensureRoom })
    return { ...spooled, path }
  }

  /** The rows naming these files are committed: from here on they belong to the background upload. */
  keep(): void {
    this.#done()
  }

  async discard(): Promise<void> {
    await rm(this.#spool.absolute(this.#folder), { recursive: true, force: true })
    this.#done()
  }
}

/** Two servers may open a new folder at the same moment: the first to write the id wins, both read it. */
async function readOrMakeId(path: string): Promise<string> {
  await writeFile(path, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(path, 'utf8')).trim()
}

/** Where process numbers mean the same: containers may share a host's name and still count from one each. */
const hostMark = (): string => createHash('sha256').update(`${hostname()} ${processSpace()}`).digest('hex').slice(0, 8)

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

const newOwner = (): string => `${hostMark()}-${process.pid}-${randomUUID().slice(0, 8)}`

/**
 * Whether the process of that name is surely gone. Of another machine nothing is known; of this one the process table
 * knows, and who bears our own number but not our name was here before us.
 */
export function isGoneOwner(owner: string, self: string): boolean {
  const [host = '', pid = ''] = owner.split('-')
  if (owner === self || host !== hostMark() || !/^\d+$/.test(pid)) return false
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

export const diskFull = (cause?: unknown) =>
  new LipikError('unavailable', 'there is no room for uploads now', {
    cause,
    details: { retry_after_seconds: RETRY_AFTER_SECONDS },
  })
