import type { Selectable } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { UploadStatus } from './upload-moves.ts'

/** What a user sees of a file. */
export type FileRecord = {
  readonly file_id: string
  readonly filename: string
  readonly size_bytes: number
  readonly estimated_duration_seconds: number
  readonly upload_status: UploadStatus
  readonly batch_upload_id: string
  readonly content_type: string
  readonly created_at: string
  /** Only when completed. */
  readonly gcs_key?: string
  /** Only when failed. */
  readonly error?: string
}

export const RECORD_COLUMNS = [
  'id',
  'filename',
  'size_bytes',
  'estimated_duration_seconds',
  'upload_status',
  'batch_upload_id',
  'content_type',
  'created_at',
  'storage_key',
  'last_error',
] as const

type RecordRow = Pick<Selectable<Database['files']>, (typeof RECORD_COLUMNS)[number]>

export const toRecord = (row: RecordRow): FileRecord => ({
  file_id: row.id,
  filename: row.filename,
  size_bytes: row.size_bytes,
  estimated_duration_seconds: row.estimated_duration_seconds,
  upload_status: row.upload_status,
  batch_upload_id: row.batch_upload_id,
  content_type: row.content_type,
  created_at: row.created_at.toISOString(),
  ...(row.upload_status === 'completed' ? { gcs_key: row.storage_key } : {}),
  ...(row.upload_status === 'failed' ? { error: row.last_error ?? 'the upload failed' } : {}),
})
