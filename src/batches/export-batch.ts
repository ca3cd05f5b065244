import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type FileResult, type FileRow, fileColumns, type Shown, toFileResults } from './file-results.ts'
import type { JobStatus } from './job-state.ts'
import type { OwnBatch } from './own-batch.ts'
import { JOB_COLUMNS, type JobRow, type RawJob, toRawJob } from './raw-jobs.ts'

const ROWS_AT_A_TIME = 200
/** A file's chunks may be a thousand: whole files with all of them are read few at a time. */
const FILES_WITH_CHUNKS_AT_A_TIME = 4

/**
 * Every file of the batch in order, a page in memory at a time. Pages are found by the place after the last one, so that the
 * millionth row costs what the first did, and no transaction stays open while a slow client reads.
 */
export async function* exportFiles(
  db: Kysely<Database>,
  batch: OwnBatch,
  status: JobStatus | undefined,
  shown: Shown,
): AsyncGenerator<FileResult> {
  const limit = shown.chunks ? FILES_WITH_CHUNKS_AT_A_TIME : ROWS_AT_A_TIME
  for (let after = -1; ; ) {
    const { rows } = await sql<FileRow>`
      select ${fileColumns(shown.speech)} from jobs join batches on batches.id = jobs.batch_id
      where jobs.batch_id = ${batch.id} and kind = 'file' and position > ${after} ${only(status)}
      order by position limit ${limit}`.execute(db)
    yield* await toFileResults(db, rows, shown)
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = last.position
  }
}

export async function* exportJobs(
  db: Kysely<Database>,
  batch: OwnBatch,
  status: JobStatus | undefined,
  speech: boolean,
): AsyncGenerator<RawJob> {
  for (let after = { position: -1, chunk_index: 0 }; ; ) {
    const { rows } = await sql<JobRow>`
      select ${JOB_COLUMNS} from jobs
      where batch_id = ${batch.id} and (position, chunk_index) > (${after.position}, ${after.chunk_index}) ${only(status)}
      order by position, chunk_index limit ${ROWS_AT_A_TIME}`.execute(db)
    for (const row of rows) yield toRawJob(row, speech)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_A_TIME) return
    after = last
  }
}

const only = (status: JobStatus | undefined) => (status === undefined ? sql`` : sql`and status = ${status}`)

/** How many rows an export will have, said at the head of its JSON form. */
export async function countExport(
  db: Kysely<Database>,
  batch: OwnBatch,
  status: JobStatus | undefined,
  raw: boolean,
): Promise<number> {
  if (!raw && status === undefined) return batch.totalFiles
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from jobs
    where batch_id = ${batch.id} ${raw ? sql`` : sql`and kind = 'file'`} ${only(status)}`.execute(db)
  return rows[0]?.n ?? 0
}

type Form = { readonly head: string; readonly between: string; readonly end: string }

export const NDJSON: Form = { head: '', between: '\n', end: '\n' }

/** The list comes last, so that all before it can be written before the list is known. */
export const asJson = (envelope: Readonly<Record<string, unknown>>, list: string): Form => ({
  head: `${JSON.stringify(envelope).slice(0, -1)},"${list}":[`,
  between: ',',
  end: ']}',
})

/** Whole rows only; about `PIECE` characters at a time, because a write for every row would cost more than the row. */
export async function* writeExport(rows: AsyncIterable<object>, { head, between, end }: Form): AsyncGenerator<string> {
  let piece = head
  let isFirst = true
  for await (const row of rows) {
    piece += (isFirst ? '' : between) + JSON.stringify(row)
    isFirst = false
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece + (isFirst && end === '\n' ? '' : end)
}

const PIECE = 65_536
