import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { ChunkTranscript } from '../speech/transcript.ts'
import { writeText } from '../transcription/write-text.ts'
import type { Page, PageQuery } from './batch-results.ts'
import type { JobFault } from './job-fault.ts'
import type { JobStatus } from './job-state.ts'
import type { OwnBatch } from './own-batch.ts'
import {
  type SegmentView,
  type StoredTranscript,
  type TranscriptView,
  toSegmentView,
  toTranscriptView,
} from './result-shape.ts'

type ChunkTranscriptView = {
  readonly text: string
  readonly language: string
  readonly engine: string
  /** Times count from the chunk's start: this is what the engine said. */
  readonly segments?: readonly SegmentView[]
}

export type RawJob = {
  readonly job_id: string
  readonly kind: 'file' | 'chunk'
  readonly file_id: string
  readonly batch_id: string
  readonly chunk_index: number | null
  readonly status: JobStatus
  readonly attempts: number
  readonly error: JobFault | null
  readonly result: TranscriptView | ChunkTranscriptView | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

export type JobRow = {
  readonly id: string
  readonly kind: 'file' | 'chunk'
  readonly file_id: string
  readonly batch_id: string
  readonly position: number
  readonly chunk_index: number
  readonly status: JobStatus
  readonly attempts: number
  readonly error: JobFault | null
  readonly result: object | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

export const JOB_COLUMNS = sql`
  id, kind, file_id, batch_id, position, chunk_index, status, attempts, error, result - 'voice' as result, created_at, started_at, finished_at`

/** Each file job, followed by its chunk jobs. */
export async function readJobPage(
  db: Kysely<Database>,
  batch: OwnBatch,
  { page, limit, status }: PageQuery,
  speech: boolean,
): Promise<Page<RawJob>> {
  const mine = sql`batch_id = ${batch.id} ${status === undefined ? sql`` : sql`and status = ${status}`}`
  const counted = await sql<{ n: number }>`select count(*) as n from jobs where ${mine}`.execute(db)
  const { rows } = await sql<JobRow>`
    select ${JOB_COLUMNS} from jobs where ${mine}
    order by position, chunk_index offset ${(page - 1) * limit} limit ${limit}`.execute(db)
  return { total: counted.rows[0]?.n ?? 0, items: rows.map((row) => toRawJob(row, speech)) }
}

export function toRawJob(row: JobRow, speech: boolean): RawJob {
  return {
    job_id: row.id,
    kind: row.kind,
    file_id: row.file_id,
    batch_id: row.batch_id,
    chunk_index: row.kind === 'file' ? null : row.chunk_index,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    result: row.result && resultView(row.kind, row.result, speech),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

function resultView(kind: JobRow['kind'], result: object, speech: boolean): TranscriptView | ChunkTranscriptView {
  if (kind === 'file') {
    const { segments, ...whole } = result as StoredTranscript // what the merge of a file wrote
    return toTranscriptView(speech && segments ? { ...whole, segments } : whole)
  }
  const { segments, language, engine } = result as ChunkTranscript // what the end of a chunk wrote
  const view = { text: writeText(segments), language, engine }
  return speech ? { ...view, segments: segments.map(toSegmentView) } : view
}
