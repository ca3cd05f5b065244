import type { Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type FileId, newId, type UploadBatchId, type UserId } from '../platform/ids.ts'
import { type FileRecord, toRecord } from './file-record.ts'
import type { SpooledFile } from './spool.ts'
import { uploadKey } from './storage-key.ts'

export type ReceivedFile = SpooledFile & {
  readonly filename: string
  readonly contentType: string
  readonly durationSeconds: number
}

export type NewUpload = {
  readonly user: UserId
  readonly batch: UploadBatchId
  readonly files: readonly ReceivedFile[]
  readonly spoolId: string
  readonly spoolSeconds: number
}

export type AcceptedUpload = {
  readonly batch_upload_id: UploadBatchId
  readonly status: 'accepted'
  readonly total_files: number
  readonly spool_seconds: number
  readonly files: readonly FileRecord[]
}

const MILLISECONDS = 1000
/** A statement carries at most 65,535 values. */
const ROWS_PER_INSERT = 1_000

/** File ids are made here, when the rows are: they order the list, so an upload that took an hour is as new as its end. */
export async function insertUpload(transaction: Transaction<Database>, upload: NewUpload): Promise<AcceptedUpload> {
  const { user, batch, spoolSeconds } = upload
  await transaction.insertInto('upload_batches').values({ id: batch, user_id: user }).execute()
  const rows = upload.files.map((file, position) => toRow(upload, file, position))
  const files: FileRecord[] = []
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const inserted = await transaction
      .insertInto('files')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .returningAll()
      .execute()
    files.push(...inserted.sort((a, b) => a.position - b.position).map(toRecord))
  }
  return {
    batch_upload_id: batch,
    status: 'accepted',
    total_files: files.length,
    spool_seconds: Math.round(spoolSeconds * MILLISECONDS) / MILLISECONDS,
    files,
  }
}

function toRow({ user, batch, spoolId }: NewUpload, file: ReceivedFile, position: number) {
  const id = newId<FileId>()
  const { filename } = file
  return {
    id,
    user_id: user,
    batch_upload_id: batch,
    position,
    filename,
    content_type: file.contentType,
    size_bytes: file.bytes,
    sha256: file.sha256,
    estimated_duration_seconds: file.durationSeconds,
    storage_key: uploadKey(user, { batch, file: id, filename }),
    upload_status: 'pending' as const,
    spool_id: spoolId,
    spool_path: file.path,
  }
}
