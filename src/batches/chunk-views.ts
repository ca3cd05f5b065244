import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { Script } from '../speech/language.ts'
import type { ChunkTranscript, Segment } from '../speech/transcript.ts'
import { segmentInScript } from '../transcription/script/write-in-script.ts'
import { shiftSegment } from '../transcription/shift-segment.ts'
import { writeText } from '../transcription/write-text.ts'
import type { JobFault } from './job-fault.ts'
import type { JobStatus } from './job-state.ts'
import { type SegmentView, seconds, toSegmentView } from './result-shape.ts'

export type ChunkView = {
  readonly chunk_id: string
  readonly chunk_index: number
  readonly status: JobStatus
  readonly start: number
  readonly end: number
  readonly attempts: number
  readonly text: string | null
  readonly error?: JobFault
  readonly segments?: readonly SegmentView[]
}

export type ErrorView = JobFault & { readonly chunk_index: number | null; readonly attempts: number }

type ChunkRow = {
  readonly id: string
  readonly position: number
  readonly chunk_index: number
  readonly status: JobStatus
  readonly start_ms: number
  readonly end_ms: number
  readonly attempts: number
  readonly result: ChunkTranscript | null
  readonly error: JobFault | null
}

/** Which files of a batch, by their place in it. */
export type FilesOfBatch = { readonly batchId: string; readonly positions: readonly number[] }

/** The segments of each merged file by its place: only with the whole file in view is it known who speaks and in what tone. */
type MergedSegments = ReadonlyMap<number, readonly Segment[]>

/** The chunks of these files, in order, by the place of their file. */
export async function readChunks(
  db: Kysely<Database>,
  { batchId, positions }: FilesOfBatch,
  show: { readonly speech: boolean; readonly script: Script; readonly merged: MergedSegments },
): Promise<ReadonlyMap<number, ChunkView[]>> {
  const { rows } = await sql<ChunkRow>`
    select id, position, chunk_index, status, start_ms, end_ms, attempts, result - 'voice' - 'prints' as result, error from jobs
    where batch_id = ${batchId} and position = any(${positions}) and kind = 'chunk'
    order by position, chunk_index`.execute(db)
  return byPosition(rows, (row) => toChunkView(row, show, show.merged.get(row.position)))
}

export async function readFaults(
  db: Kysely<Database>,
  { batchId, positions }: FilesOfBatch,
): Promise<ReadonlyMap<number, ErrorView[]>> {
  if (positions.length === 0) return new Map()
  const { rows } = await sql<Pick<ChunkRow, 'position' | 'chunk_index' | 'attempts' | 'error'>>`
    select position, chunk_index, attempts, error from jobs
    where batch_id = ${batchId} and position = any(${positions}) and kind = 'chunk' and status = 'failed'
    order by position, chunk_index`.execute(db)
  return byPosition(rows, ({ chunk_index, attempts, error }) => ({ chunk_index, ...asFault(error), attempts }))
}

export const asFault = (error: JobFault | null): JobFault => error ?? { code: 'unavailable', message: 'unknown' }

function toChunkView(
  row: ChunkRow,
  { speech, script }: { readonly speech: boolean; readonly script: Script },
  merged: readonly Segment[] | undefined,
): ChunkView {
  const segments = row.result?.segments.map((segment) => segmentInScript(shiftSegment(segment, row.start_ms), script))
  return {
    chunk_id: row.id,
    chunk_index: row.chunk_index,
    status: row.status,
    start: seconds(row.start_ms),
    end: seconds(row.end_ms),
    attempts: row.attempts,
    text: segments ? writeText(segments) : null,
    ...(row.error ? { error: row.error } : {}),
    ...(speech && segments ? { segments: (merged?.filter(isOf(row)) ?? segments).map(toSegmentView) } : {}),
  }
}

/** Where two chunks overlap, a segment belongs to the one in which its middle lies first. */
const isOf =
  ({ start_ms, end_ms }: ChunkRow) =>
  ({ startMs, endMs }: Segment): boolean => {
    const middle = (startMs + endMs) / 2
    return middle >= start_ms && middle < end_ms
  }

function byPosition<R extends { readonly position: number }, V>(rows: readonly R[], view: (row: R) => V) {
  const grouped = new Map<number, V[]>()
  for (const row of rows) {
    const group = grouped.get(row.position)
    if (group) group.push(view(row))
    else grouped.set(row.position, [view(row)])
  }
  return grouped
}
