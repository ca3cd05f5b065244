import { sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import { hashUser } from '../platform/identity/user-hash.ts'
import { type FileId, type UserId, urlFileId } from '../platform/ids.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { BatchInput, SourceItem } from './submission.ts'

const HEADS_AT_ONCE = 16

/** Each source has exactly one of key and address. An address is not looked at here: the worker that fetches it judges it. */
export async function resolveSources(
  trx: Transaction<Database>,
  blobs: BlobStore,
  user: UserId,
  sources: readonly SourceItem[],
): Promise<BatchInput[]> {
  const byKey = await resolveKeys(trx, blobs, user, sources)
  return sources.map(({ gcs_key, url, filename }) => {
    const found = gcs_key === undefined ? undefined : byKey.get(gcs_key)
    if (found) return filename === undefined ? found : { ...found, filename }
    const address = url ?? ''
    return {
      fileId: urlFileId(user, address),
      filename: filename ?? lastPart(address),
      source: { url: address },
      audioSeconds: 0,
    }
  })
}

async function resolveKeys(
  trx: Transaction<Database>,
  blobs: BlobStore,
  user: UserId,
  sources: readonly SourceItem[],
): Promise<ReadonlyMap<string, BatchInput>> {
  const keys = [...new Set(sources.flatMap(({ gcs_key }) => gcs_key ?? []))]
  const inputs = await findFiles(trx, user, keys)
  const others = keys.filter((key) => !inputs.has(key))
  for (let at = 0; at < others.length; at += HEADS_AT_ONCE) {
    const group = others.slice(at, at + HEADS_AT_ONCE)
    const found = await Promise.all(group.map((key) => isOwnObject(blobs, user, key)))
    for (const [i, key] of group.entries()) if (found[i]) inputs.set(key, ownObject(user, key))
  }
  const missing = keys.filter((key) => !inputs.has(key))
  if (missing.length > 0) {
    throw new LipikError('not_found', 'gcs_key not found', { details: { gcs_keys: missing.slice(0, 100) } })
  }
  return inputs
}

async function findFiles(
  trx: Transaction<Database>,
  user: UserId,
  keys: readonly string[],
): Promise<Map<string, BatchInput>> {
  if (keys.length === 0) return new Map()
  const rows = await trx
    .selectFrom('files')
    .select(['id', 'filename', 'storage_key', 'estimated_duration_seconds'])
    .where('storage_key', '=', sql<string>`any(${[...keys]}::text[])`)
    .where('user_id', '=', user)
    .where('upload_status', '=', 'completed')
    .forShare()
    .execute()
  return new Map(
    rows.map((row) => [
      row.storage_key,
      {
        fileId: row.id as FileId, // the files table holds file ids
        filename: row.filename,
        source: { key: row.storage_key },
        audioSeconds: row.estimated_duration_seconds,
      },
    ]),
  )
}

/** A key that climbs out of the prefix is refused by the prefix; one that storage would not even spell is simply not there. */
async function isOwnObject(blobs: BlobStore, user: UserId, key: string): Promise<boolean> {
  const climbs = key.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (climbs || !key.startsWith(`users/${hashUser(user)}/`)) return false
  return (await blobs.head(key)) !== undefined
}

const ownObject = (user: UserId, key: string): BatchInput => ({
  fileId: urlFileId(user, key),
  filename: lastPart(key),
  source: { key },
  audioSeconds: 0,
})

function lastPart(address: string): string {
  const [path = ''] = address.split(/[?#]/)
  return path.split('/').filter(Boolean).at(-1)?.slice(0, 255) ?? 'audio'
}
