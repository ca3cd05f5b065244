import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type FileId, isUuid, type UserId } from '../platform/ids.ts'
import type { Script } from '../speech/language.ts'
import { transcriptInScript } from '../transcription/script/write-in-script.ts'
import type { BatchOptions } from './batch-options.ts'
import { asFault, type ChunkView, type ErrorView, type FilesOfBatch, readChunks, readFaults } from './chunk-views.ts'
import type { JobFault } from './job-fault.ts'
import type { JobStatus } from './job-state.ts'
import { type StoredTranscript, type TranscriptView, toTranscriptView } from './result-shape.ts'

export type Shown = {
  readonly chunks: boolean
  readonly speech: boolean
  /** Development mode also tells how many chunks there are. */
  readonly counts: boolean
  /** Letters to write the transcript in; undefined: as it was written when it was made. */
  readonly script?: Script | undefined
}

export type FileResult = {
  readonly file_id: string
  readonly filename: string
  readonly status: JobStatus
  readonly batch_id: string
  readonly result?: TranscriptView
  readonly errors?: readonly ErrorView[]
  readonly chunk_results?: readonly ChunkView[]
  readonly total_chunks?: number
  readonly completed_chunks?: number
  readonly failed_chunks?: number
}

export type FileRow = {
  readonly batch_id: string
  readonly position: number
  readonly file_id: string
  readonly filename: string
  readonly status: JobStatus
  readonly attempts: number
  readonly result: StoredTranscript | null
  readonly error: JobFault | null
  readonly total_chunks: number | null
  readonly chunks_done: number
  readonly chunks_failed: number
  readonly options: BatchOptions
}

/** Columns of a FileRow of `jobs` joined with `batches`; the segments stay in the database when nobody asked for them. */
export const fileColumns = (speech: boolean) => sql`
  jobs.batch_id, position, file_id, filename, status, attempts,
  ${speech ? sql`result` : sql`result - 'segments'`} as result,
  error, total_chunks, chunks_done, chunks_failed, batches.options`

/** The newest result of a file, whichever batch it was in. Undefined: no such file, or another user's. */
export async function readFileResult(
  db: Kysely<Database>,
  user: UserId,
  fileId: string,
  shown: Shown,
): Promise<FileResult | undefined> {
  const row = await newestOf(db, user, fileId, shown.speech || shown.script !== undefined)
  return row && (await toFileResults(db, [rewrite(row, shown)], shown))[0]
}

/** Writing in other letters needs the segments; they go again when nobody asked for them. */
function rewrite(row: FileRow, { speech, script }: Shown): FileRow {
  if (script === undefined || !row.result?.segments) return row
  const { segments, ...rest } = transcriptInScript({ ...row.result, segments: row.result.segments }, script)
  return { ...row, result: speech ? { ...rest, segments } : rest }
}

export async function newestOf(
  db: Kysely<Database>,
  user: UserId,
  fileId: string,
  speech: boolean,
): Promise<FileRow | undefined> {
  if (!isUuid(fileId)) return undefined
  const { rows } = await sql<FileRow>`
    select ${fileColumns(speech)} from jobs join batches on batches.id = jobs.batch_id
    where file_id = ${fileId as FileId} and kind = 'file' and jobs.user_id = ${user}
    order by jobs.created_at desc, jobs.id desc limit 1`.execute(db)
  return rows[0]
}

/** The rows must be of one batch. */
export async function toFileResults(
  db: Kysely<Database>,
  rows: readonly FileRow[],
  shown: Shown,
): Promise<FileResult[]> {
  const [first] = rows
  if (!first) return []
  const files = (wanted: readonly FileRow[]): FilesOfBatch => ({
    batchId: first.batch_id,
    positions: wanted.map(({ position }) => position),
  })
  const faults = await readFaults(db, files(rows.filter(({ chunks_failed }) => chunks_failed > 0)))
  const chunks = shown.chunks
    ? await readChunks(db, files(rows), {
        speech: shown.speech,
        script: first.options.script,
        merged: new Map(
          rows.flatMap(({ position, result }) => (result?.segments ? [[position, result.segments]] : [])),
        ),
      })
    : undefined
  return rows.map((row) =>
    toFileResult(row, faults.get(row.position), chunks && (chunks.get(row.position) ?? []), shown),
  )
}

function toFileResult(
  row: FileRow,
  faults: readonly ErrorView[] = [],
  chunks: readonly ChunkView[] | undefined,
  { counts }: Shown,
): FileResult {
  const own = row.error ? [{ chunk_index: null, ...asFault(row.error), attempts: row.attempts }] : []
  const errors = [...own, ...faults]
  return {
    file_id: row.file_id,
    filename: row.filename,
    status: row.status,
    batch_id: row.batch_id,
    ...(row.result ? { result: toTranscriptView(row.result) } : {}),
    ...(errors.length > 0 ? { errors } : {}),
    ...(chunks ? { chunk_results: chunks } : {}),
    ...(counts ? countsOf(row) : {}),
  }
}

const countsOf = ({ total_chunks, chunks_done, chunks_failed }: FileRow) => ({
  total_chunks: total_chunks ?? chunks_done + chunks_failed,
  completed_chunks: chunks_done,
  failed_chunks: chunks_failed,
})
