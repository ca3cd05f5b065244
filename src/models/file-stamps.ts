import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { findFault } from './check-file.ts'
import type { ModelFile } from './model-entry.ts'

const Stamp = z.object({ sha256: z.string(), bytes: z.number(), changedMs: z.number(), inode: z.number() })
const Stamps = z.record(z.string(), Stamp)
type Stamps = z.infer<typeof Stamps>

const STAMPS_FILE = '.verified.json'

/**
 * Hashing half a gigabyte at every start is a second lost each time. A file that was hashed once and has not been
 * touched since (size, inode and change time, which no tool can set back) is believed; `lipik models verify` hashes all.
 */
export async function findFaults(dir: string, files: readonly ModelFile[], signal?: AbortSignal): Promise<ModelFile[]> {
  const stamps = await readStamps(dir)
  const faulty: ModelFile[] = []
  const fresh: Stamps = {}
  for (const file of files) {
    const now = await stampOf(join(dir, file.path), file)
    if (now && isSame(stamps[file.path], now)) continue
    if (await findFault(join(dir, file.path), file, signal)) faulty.push(file)
    else if (now) fresh[file.path] = now
  }
  if (Object.keys(fresh).length > 0) await writeStamps(dir, { ...stamps, ...fresh })
  return faulty
}

async function stampOf(path: string, file: ModelFile) {
  const found = await stat(path).catch(() => undefined)
  return found && { sha256: file.sha256, bytes: found.size, changedMs: found.ctimeMs, inode: found.ino }
}

const isSame = (a: Stamps[string] | undefined, b: Stamps[string]) =>
  a?.sha256 === b.sha256 && a.bytes === b.bytes && a.changedMs === b.changedMs && a.inode === b.inode

async function readStamps(dir: string): Promise<Stamps> {
  const text = await readFile(join(dir, STAMPS_FILE), 'utf8').catch(() => '{}')
  try {
    return Stamps.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A models folder may be read-only (baked into an image); then the stamps are simply not kept. */
async function writeStamps(dir: string, stamps: Stamps): Promise<void> {
  const beside = join(dir, `${STAMPS_FILE}.${process.pid}`)
  await writeFile(beside, JSON.stringify(stamps, null, 1))
    .then(() => rename(beside, join(dir, STAMPS_FILE)))
    .catch(() => undefined)
}
