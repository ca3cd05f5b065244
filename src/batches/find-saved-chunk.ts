import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { isUuid } from '../platform/ids.ts'
import { chunkAudioKey, chunkRecordKey } from './job-objects.ts'

export type SavedChunk = { readonly audioKey: string; readonly recordKey: string }

/** Where a chunk's audio and record lie if they were kept. Undefined: there is no such chunk. */
export async function findSavedChunk(db: Kysely<Database>, chunkId: string): Promise<SavedChunk | undefined> {
  if (!isUuid(chunkId)) return undefined
  const { rows } = await sql<{ userId: string; batchId: string; fileJobId: string; index: number }>`
    select user_id as "userId", batch_id as "batchId", parent_id as "fileJobId", chunk_index as index
    from jobs where id = ${chunkId} and kind = 'chunk'`.execute(db)
  const [chunk] = rows
  return chunk && { audioKey: chunkAudioKey(chunk, chunk.index), recordKey: chunkRecordKey(chunk, chunk.index) }
}
