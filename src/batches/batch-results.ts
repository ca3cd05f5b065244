import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { BatchId } from '../platform/ids.ts'
import { type FileResult, type FileRow, fileColumns, type Shown, toFileResults } from './file-results.ts'
import type { JobStatus } from './job-state.ts'
import type { OwnBatch } from './own-batch.ts'

export type PageQuery = { readonly page: number; readonly limit: number; readonly status: JobStatus | undefined }

export type Page<T> = { readonly total: number; readonly items: readonly T[] }

/** Files in the order they were submitted. */
export async function readFilePage(
  db: Kysely<Database>,
  batch: OwnBatch,
  query: PageQuery,
  shown: Shown,
): Promise<Page<FileResult>> {
  const total = query.status === undefined ? batch.totalFiles : await countFiles(db, batch.id, query.status)
  const rows = await readRows(db, batch, query, shown.speech)
  return { total, items: await toFileResults(db, rows, shown) }
}

async function countFiles(db: Kysely<Database>, batchId: BatchId, status: JobStatus): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from jobs where batch_id = ${batchId} and status = ${status} and kind = 'file'`.execute(db)
  return rows[0]?.n ?? 0
}

/** While no file was deleted the places are without gaps, and the last page costs no more than the first. */
async function readRows(
  db: Kysely<Database>,
  batch: OwnBatch,
  { page, limit, status }: PageQuery,
  speech: boolean,
): Promise<FileRow[]> {
  const first = (page - 1) * limit
  const hasNoGaps = status === undefined && batch.submittedFiles === batch.totalFiles
  const place = hasNoGaps
    ? sql`position >= ${first} and position < ${first + limit}`
    : sql`position in (
        select position from jobs
        where batch_id = ${batch.id} and kind = 'file' ${status === undefined ? sql`` : sql`and status = ${status}`}
        order by position offset ${first} limit ${limit})`
  const { rows } = await sql<FileRow>`
    select ${fileColumns(speech)} from jobs join batches on batches.id = jobs.batch_id
    where jobs.batch_id = ${batch.id} and kind = 'file' and ${place}
    order by position`.execute(db)
  return rows
}
