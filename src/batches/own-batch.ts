import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type BatchId, isUuid, type UserId } from '../platform/ids.ts'

export type OwnBatch = {
  readonly id: BatchId
  readonly submittedFiles: number
  readonly totalFiles: number
  readonly completed: number
  readonly partial: number
  readonly failed: number
  readonly audioSeconds: number
  readonly createdAt: Date
  readonly finishedAt: Date | null
  /** Whether any of its files was begun. */
  readonly started: boolean
}

/** Undefined: there is none of this id, or it is another user's, which is the same to whoever asks. */
export async function findOwnBatch(db: Kysely<Database>, user: UserId, id: string): Promise<OwnBatch | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<OwnBatch>`
    select id, submitted_files as "submittedFiles", total_files as "totalFiles", files_completed as completed,
      files_partial as partial, files_failed as failed, audio_seconds as "audioSeconds",
      created_at as "createdAt", finished_at as "finishedAt",
      files_completed + files_partial + files_failed > 0 or exists (
        select 1 from jobs where batch_id = batches.id and kind = 'file' and status in ('processing', 'retrying')) as started
    from batches where id = ${id} and user_id = ${user}`.execute(db)
  return rows[0]
}
