import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { isGoneOwner, type Spool } from './spool.ts'

/** A process of another machine that shares the folder may be receiving; an upload without a byte for this long is none. */
const ABANDONED_AFTER_MS = 15 * 60 * 1000
const UPLOADS_PER_QUERY = 500

/**
 * Removes spool files that no row names: what a killed process had received without answering, what storage has already,
 * what was deleted by another server. Returns how many went.
 */
export async function sweepSpool(db: Kysely<Database>, spool: Spool): Promise<number> {
  let removed = 0
  for (const owner of await foldersIn(spool.root)) {
    const uploads = (await foldersIn(join(spool.root, owner))).filter(isUuid)
    const judged: string[] = []
    for (const upload of uploads) if (await mayJudge(spool, owner, upload)) judged.push(upload)
    for (let at = 0; at < judged.length; at += UPLOADS_PER_QUERY)
      removed += await sweepUploads(db, spool, owner, judged.slice(at, at + UPLOADS_PER_QUERY))
    // Fails while something is in it, as it should.
    if (owner !== spool.owner) await rmdir(join(spool.root, owner)).catch(() => {})
  }
  return removed
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(noneIfMissing)
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function mayJudge(spool: Spool, owner: string, upload: string): Promise<boolean> {
  if (owner === spool.owner) return !spool.isReceiving(join(owner, upload))
  if (isGoneOwner(owner, spool.owner)) return true
  const folder = join(spool.root, owner, upload)
  const names = await readdir(folder).catch(noneIfMissing)
  const touched = await Promise.all([folder, ...names.map((name) => join(folder, name))].map(lastTouchedMs))
  return Date.now() - Math.max(...touched) > ABANDONED_AFTER_MS
}

/** Gone meanwhile counts as touched now: whoever removed it is at work here. */
const lastTouchedMs = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )

async function sweepUploads(
  db: Kysely<Database>,
  spool: Spool,
  owner: string,
  uploads: readonly string[],
): Promise<number> {
  const rows = await db
    .selectFrom('files')
    .select('spool_path')
    .where('batch_upload_id', 'in', uploads)
    .where('spool_path', 'is not', null)
    .execute()
  const named = new Set(rows.map(({ spool_path }) => spool_path))
  let removed = 0
  for (const upload of uploads) {
    const folder = join(owner, upload)
    const names = await readdir(spool.absolute(folder)).catch(noneIfMissing)
    const orphans = names.map((name) => join(folder, name)).filter((path) => !named.has(path))
    for (const path of orphans) await rm(spool.absolute(path), { force: true })
    removed += orphans.length
    await rmdir(spool.absolute(folder)).catch(() => {})
  }
  return removed
}

function noneIfMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code !== 'ENOENT') throw error
  return []
}
