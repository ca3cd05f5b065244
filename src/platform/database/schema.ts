import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/**
 * Every table by name. A room that owns tables declares their shapes here and makes them in a migration; kysely then
 * refuses a query that names a column the migration does not have.
 */
export interface Database {
  upload_batches: UploadBatchesTable
  files: FilesTable
  file_counts: FileCountsTable
  spools: SpoolsTable
  pending_deletions: PendingDeletionsTable
  idempotency_keys: IdempotencyKeysTable
  batches: BatchesTable
  jobs: JobsTable
  turns: TurnsTable
  workers: WorkersTable
  measured_speed: MeasuredSpeedTable
  api_keys: ApiKeysTable
  ephemeral_tokens: EphemeralTokensTable
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
type Json = JSONColumnType<object>
type JsonOrNull = ColumnType<object | null, string | null | undefined, string | null>

interface UploadBatchesTable {
  id: string
  user_id: string
  created_at: Timestamp
}

interface FilesTable {
  id: string
  user_id: string
  batch_upload_id: string
  /** Order within its upload. */
  position: number
  filename: string
  content_type: string
  size_bytes: number
  sha256: string
  estimated_duration_seconds: number
  /** Where the object is, once completed; where it will be, before. */
  storage_key: string
  upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
  /** Which server's spool folder holds the copy, and where in it; no path once storage has the object. */
  spool_id: string
  spool_path: string | null
  attempts: Generated<number>
  due_at: Timestamp
  claimed_by: string | null
  lease_until: Date | null
  last_error: string | null
  created_at: Timestamp
  completed_at: Date | null
}

/** Kept by triggers on files. */
interface FileCountsTable {
  user_id: string
  upload_status: FilesTable['upload_status']
  files: number
}

interface SpoolsTable {
  id: string
  seen_at: Timestamp
}

/** Objects that nothing refers to any more and that storage still has to forget. */
interface PendingDeletionsTable {
  storage_key: string
  attempts: Generated<number>
  due_at: Timestamp
}

interface IdempotencyKeysTable {
  user_id: string
  scope: string
  key: string
  fingerprint: string
  answer: Json
  created_at: Timestamp
}

interface BatchesTable {
  id: string
  user_id: string
  options: Json
  /** What was asked for, for quotas; total_files goes down when files are deleted. */
  submitted_files: number
  total_files: number
  files_completed: Generated<number>
  files_partial: Generated<number>
  files_failed: Generated<number>
  audio_seconds: number
  created_at: Timestamp
  finished_at: Date | null
}

/** File jobs and chunk jobs; a chunk has a parent_id, start_ms, end_ms and overlap_ms, a file has filename, source and phase. */
interface JobsTable {
  id: string
  kind: 'file' | 'chunk'
  batch_id: string
  user_id: string
  file_id: string
  parent_id: string | null
  position: number
  chunk_index: number
  status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  phase: 'split' | 'chunks' | 'merge' | null
  fence: Generated<number>
  attempts: Generated<number>
  worker_id: string | null
  turn: number
  error: JsonOrNull
  result: JsonOrNull
  filename: string | null
  source: JsonOrNull
  audio_seconds: number
  total_chunks: number | null
  chunks_done: Generated<number>
  chunks_failed: Generated<number>
  start_ms: number | null
  end_ms: number | null
  overlap_ms: number | null
  /** What was heard about a chunk's language when its file was cut; null: not yet. */
  language_scores: JsonOrNull
  /** Of a chunk of a two-channel recording: which side each 20 ms came from, a signed byte of hundredths each. */
  channel_balance: Buffer | null
  created_at: Timestamp
  started_at: Date | null
  finished_at: Date | null
}

/** The last turn number each user was given. */
interface TurnsTable {
  user_id: string
  kind: 'file' | 'chunk'
  last: number
}

interface WorkersTable {
  id: string
  mode: string
  slots: number
  /** Audio seconds recognised in a second by one slot; null until measured. */
  speed: number | null
  started_at: Timestamp
  seen_at: Timestamp
}

/** The last speed any worker measured, for estimates made before the first worker of a new start has measured its own. */
interface MeasuredSpeedTable {
  only_row: Generated<boolean>
  speed: number
  measured_at: Timestamp
}

interface ApiKeysTable {
  id: string
  user_id: string
  secret_hash: string
  hint: string
  created_at: Timestamp
  last_used_at: Date | null
  revoked_at: Date | null
}

/** What a browser begins realtime sessions with. */
interface EphemeralTokensTable {
  secret_hash: string
  user_id: string
  /** Whose limits its sessions count against: the key or user that it was made for. */
  limit_key: string
  session: Json
  expires_at: Timestamp
}
