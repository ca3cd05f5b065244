import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/**
 * Every table by name. A room that owns tables declares their shapes here and makes them in a migration; kysely then
 * refuses a query that names a column the migration does not have.
 */
export interface Database {
  batches: BatchesTable
  jobs: JobsTable
  turns: TurnsTable
  workers: WorkersTable
  measured_speed: MeasuredSpeedTable
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
type Json = JSONColumnType<object>
type JsonOrNull = JSONColumnType<object | null>

interface BatchesTable {
  id: string
  user_id: string
  options: Json
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
