import type { Kysely } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import { isUuid, type UserId } from '../platform/ids.ts'
import { type FileRecord, RECORD_COLUMNS, toRecord } from './file-record.ts'
import type { UploadStatus } from './upload-moves.ts'

export type UploadProgress = Readonly<Record<UploadStatus, number>> & {
  readonly batch_upload_id: string
  readonly status: 'accepted' | 'completed' | 'failed'
  readonly total_files: number
  readonly files: readonly FileRecord[]
}

/** How far the files of one upload have come. Another user's upload is as unknown as one that never was. */
export async function uploadStatus(db: Kysely<Database>, user: UserId, id: string): Promise<UploadProgress> {
  const rows = isUuid(id)
    ? await db
        .selectFrom('files')
        .select(RECORD_COLUMNS)
        .where('batch_upload_id', '=', id)
        .where('user_id', '=', user)
        .orderBy('position')
        .execute()
    : []
  if (rows.length === 0) throw new LipikError('not_found', 'upload not found')
  const count = (status: UploadStatus) => rows.filter((row) => row.upload_status === status).length
  const counts = {
    completed: count('completed'),
    failed: count('failed'),
    uploading: count('uploading'),
    pending: count('pending'),
  }
  return {
    batch_upload_id: id.toLowerCase(),
    status: statusOf(counts, rows.length),
    total_files: rows.length,
    ...counts,
    files: rows.map(toRecord),
  }
}

function statusOf(counts: Readonly<Record<UploadStatus, number>>, total: number): UploadProgress['status'] {
  if (counts.pending + counts.uploading > 0) return 'accepted'
  return counts.failed === total ? 'failed' : 'completed'
}
