import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { UserId } from '../platform/ids.ts'
import { currentSpeed } from './estimate.ts'
import type { BatchStatus } from './job-state.ts'
import type { OwnBatch } from './own-batch.ts'
import { type BatchProgress, toProgress } from './progress.ts'

export type BatchListQuery = {
  readonly page: number
  readonly limit: number
  readonly status?: BatchStatus | undefined
  /** Part of the name of any of its files, or the beginning of its id. */
  readonly search?: string | undefined
  /** The `as_of` of the first page: batches that came later are left out, so that pages do not shift. */
  readonly as_of?: string | undefined
}

export type ListedBatch = BatchProgress & {
  /** Name of its first file. */
  readonly first_filename: string | null
}

export type BatchesPage = {
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  readonly total_batches: number
  readonly count: number
  /** Newest batch of the list; absent when there is none. */
  readonly as_of?: string
  readonly batches: readonly ListedBatch[]
}

type Row = OwnBatch & { readonly firstFilename: string | null; readonly total: number }

/** A user's batches, newest first; ids grow with time. */
export async function listBatches(
  db: Kysely<Database>,
  silentSeconds: number,
  user: UserId,
  query: BatchListQuery,
): Promise<BatchesPage> {
  const { page, limit } = query
  const asOf = query.as_of ?? (await newestOf(db, user))
  if (asOf === undefined) return { page, limit, total_pages: 0, total_batches: 0, count: 0, batches: [] }
  const [{ total, rows }, speed] = await Promise.all([
    readPage(db, user, { ...query, as_of: asOf }),
    currentSpeed(db, silentSeconds),
  ])
  const batches = rows.map((row) => ({ ...toProgress(row, speed), first_filename: row.firstFilename }))
  return {
    page,
    limit,
    total_pages: Math.ceil(total / limit),
    total_batches: total,
    count: rows.length,
    as_of: asOf,
    batches,
  }
}

async function newestOf(db: Kysely<Database>, user: UserId): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from batches where user_id = ${user} order by created_at desc, id desc limit 1`.execute(db)
  return rows[0]?.id
}

const isStarted = sql`(files_completed + files_partial + files_failed > 0 or exists (
  select 1 from jobs where batch_id = batches.id and kind = 'file' and status in ('processing', 'retrying')))`

/** What `batchStatus` says, where PostgreSQL can filter by it. */
const STATUS_IS: Readonly<Record<BatchStatus, ReturnType<typeof sql>>> = {
  queued: sql`finished_at is null and not ${isStarted}`,
  processing: sql`finished_at is null and ${isStarted}`,
  completed: sql`finished_at is not null and files_partial = 0 and files_failed = 0`,
  partial: sql`finished_at is not null and files_partial + files_failed > 0 and files_failed < total_files`,
  failed: sql`finished_at is not null and files_failed = total_files and total_files > 0`,
}

async function readPage(db: Kysely<Database>, user: UserId, { page, limit, status, search, as_of }: BatchListQuery) {
  const matching = sql`
    from batches where user_id = ${user} and id <= ${as_of}
      ${status === undefined ? sql`` : sql`and ${STATUS_IS[status]}`}
      ${search === undefined ? sql`` : sql`and ${matches(search)}`}`
  const [counted, found] = await Promise.all([
    sql<{ total: number }>`select count(*) as total ${matching}`.execute(db),
    sql<Row>`
      select id, submitted_files as "submittedFiles", total_files as "totalFiles", files_completed as completed,
        files_partial as partial, files_failed as failed, audio_seconds as "audioSeconds",
        created_at as "createdAt", finished_at as "finishedAt", ${isStarted} as started,
        (select filename from jobs where batch_id = batches.id and kind = 'file' order by position limit 1) as "firstFilename"
      ${matching} order by created_at desc, id desc limit ${limit} offset ${(page - 1) * limit}`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, rows: found.rows }
}

function matches(search: string) {
  const literal = search.replace(/[\\%_]/g, '\\$&')
  return sql`(id::text like ${`${literal.toLowerCase()}%`} or exists (
    select 1 from jobs where batch_id = batches.id and kind = 'file' and filename ilike ${`%${literal}%`}))`
}
