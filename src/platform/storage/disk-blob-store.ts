import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { LipikError } from '../errors.ts'
import { checkBlobKey } from './blob-key.ts'
import type { BlobStore, ByteRange, StoredBlob } from './blob-store.ts'
import { checkByRoundTrip } from './check-by-round-trip.ts'
import { MeasuredBody } from './measured-body.ts'

const READ_BYTES = 1024 * 1024
/** Writes in progress live here, on the same file system as the objects; keys never start with a dot. */
const UNFINISHED = '.unfinished'
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** Objects as files of a folder that any number of processes may share. */
export async function openDiskBlobStore(folder: string): Promise<BlobStore> {
  const root = resolve(folder)
  const unfinished = join(root, UNFINISHED)
  await mkdir(unfinished, { recursive: true })
  await removeAbandoned(unfinished)
  const pathOf = (key: string) => join(root, ...checkBlobKey(key).split('/'))
  const store: BlobStore = {
    async put(key, body, signal) {
      const target = pathOf(key)
      const beside = join(unfinished, randomUUID())
      const measured = new MeasuredBody(body, signal)
      try {
        const stored = await writeDurably(beside, measured)
        await moveInto(root, beside, target)
        return stored
      } catch (error) {
        await rm(beside, { force: true })
        throw measured.blame(error, asStorageError)
      }
    },
    async get(key, signal, range) {
      const file = await openExisting(pathOf(key), key)
      return readFrom(file, signal, range)
    },
    async head(key) {
      const found = await unlessMissing(stat(pathOf(key)))
      return found?.isFile() ? { bytes: found.size } : undefined
    },
    async delete(key) {
      const path = pathOf(key)
      const existed = await unlessMissing(unlink(path).then(() => true))
      if (existed) await pruneEmptyFolders(root, dirname(path))
      return existed ?? false
    },
    list: (prefix) => listUnder(root, prefix),
    check: () => checkByRoundTrip(store),
    close: async () => {},
  }
  return store
}

async function writeDurably(path: string, body: MeasuredBody): Promise<StoredBlob> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of body) await writeWhole(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
  return body.digest()
}

/** A write may take less than it was given, on a disk that fills up for instance. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    done += (await file.write(chunk, done, chunk.byteLength - done)).bytesWritten
  }
}

/** A concurrent delete may prune the folder between its making and the rename: then it is made again. */
async function moveInto(root: string, from: string, target: string, tries = 5): Promise<void> {
  const folder = dirname(target)
  await mkdir(folder, { recursive: true })
  try {
    await rename(from, target)
  } catch (error) {
    if (tries > 1 && isMissing(error)) return moveInto(root, from, target, tries - 1)
    throw error
  }
  for (const each of foldersUpTo(root, folder)) await syncFolder(each)
}

/** A rename is durable once the folder is; folders made on the way need their own parents written too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await unlessMissing(open(path, 'r'))
  await folder?.sync().finally(() => folder.close())
}

function foldersUpTo(root: string, folder: string): string[] {
  const inside = relative(root, folder).split(sep).filter(Boolean)
  return inside.map((_, depth) => join(root, ...inside.slice(0, inside.length - depth))).concat(root)
}

async function openExisting(path: string, key: string): Promise<FileHandle> {
  const file = await unlessMissing(open(path, 'r'))
  if (file && (await file.stat()).isFile()) return file
  await file?.close()
  throw new LipikError('blob_not_found', `no object under ${key}`)
}

async function* readFrom(file: FileHandle, signal?: AbortSignal, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const part = range && { start: range.first, end: range.last }
  const stream = file.createReadStream({ highWaterMark: READ_BYTES, ...part })
  try {
    for await (const chunk of stream) {
      signal?.throwIfAborted()
      yield chunk
    }
  } finally {
    stream.destroy()
  }
}

async function pruneEmptyFolders(root: string, folder: string): Promise<void> {
  for (let each = folder; each !== root && each.startsWith(root + sep); each = dirname(each)) {
    const removed = await rmdir(each).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}

async function* listUnder(root: string, prefix: string): AsyncGenerator<string> {
  const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
  if (folder) checkBlobKey(folder)
  for await (const path of walk(join(root, folder))) {
    const key = relative(root, path).split(sep).join('/')
    if (key.startsWith(prefix) && !key.startsWith(UNFINISHED)) yield key
  }
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (entry.isFile()) yield path
  }
}

/** What a killed process left half-written. Others may be writing now, so only what is clearly old goes. */
async function removeAbandoned(folder: string): Promise<void> {
  for await (const path of walk(folder)) {
    const found = await unlessMissing(stat(path))
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'

const asStorageError = (error: unknown): unknown =>
  error instanceof LipikError
    ? error
    : new LipikError('storage_unavailable', 'the storage folder cannot be used', { cause: error })

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isMissing(error)) return undefined
    throw asStorageError(error)
  }
}
