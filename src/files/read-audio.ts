import type { Kysely } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import { isUuid, type UserId } from '../platform/ids.ts'
import type { BlobStore, ByteRange } from '../platform/storage/blob-store.ts'

export type StoredAudio = {
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  read(signal: AbortSignal, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>
}

/** The file as it was uploaded. Another user's file is as unknown as one that never was. */
export async function findAudio(
  { db, blobs }: { readonly db: Kysely<Database>; readonly blobs: BlobStore },
  user: UserId,
  id: string,
): Promise<StoredAudio> {
  const file = isUuid(id)
    ? await db
        .selectFrom('files')
        .select(['filename', 'content_type', 'size_bytes', 'storage_key', 'upload_status'])
        .where('id', '=', id)
        .where('user_id', '=', user)
        .executeTakeFirst()
    : undefined
  if (!file) throw new LipikError('not_found', 'file not found')
  if (file.upload_status !== 'completed')
    throw new LipikError('conflict', `the file is not in storage: it is ${file.upload_status}`)
  return {
    filename: file.filename,
    contentType: file.content_type,
    bytes: file.size_bytes,
    read: (signal, range) => blobs.get(file.storage_key, signal, range),
  }
}
