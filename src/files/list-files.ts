import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { UserId } from '../platform/ids.ts'
import { type FileRecord, RECORD_COLUMNS, toRecord } from './file-record.ts'
import type { UploadStatus } from './upload-moves.ts'

export type ListQuery = {
  readonly page: number
  readonly limit: number
  readonly upload_status?: UploadStatus | undefined
  /** The `as_of` of the first page: files that came later are left out, so that pages do not shift. */
  readonly as_of?: string | undefined
}

export type FilesPage = {
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  readonly total_files: number
  readonly count: number
  /** Newest file of the list; absent when there is none. */
  readonly as_of?: string
  readonly files: readonly FileRecord[]
}

/** One page of a user's files, newest first. Ids grow with time, so their order is that of the list, and indexed. */
export async function listFiles(db: Kysely<Database>, user: UserId, query: ListQuery): Promise<FilesPage> {
  const { page, limit } = query
  const asOf = query.as_of ?? (await newestOf(db, user))
  if (asOf === undefined) return { page, limit, total_pages: 0, total_files: 0, count: 0, files: [] }
  const [total, files] = await Promise.all([countOf(db, user, query), pageOf(db, user, { ...query, as_of: asOf })])
  return {
    page,
    limit,
    total_pages: Math.ceil(total / limit),
    total_files: total,
    count: files.length,
    as_of: asOf,
    files,
  }
}

async function newestOf(db: Kysely<Database>, user: UserId): Promise<string | undefined> {
  const newest = await ofUser(db, user, undefined).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id
}

const ofUser = (db: Kysely<Database>, user: UserId, status: UploadStatus | undefined) =>
  db
    .selectFrom('files')
    .select('id')
    .where('user_id', '=', user)
    .$if(status !== undefined, (files) => files.where('upload_status', '=', status as UploadStatus))

/** The rows a deep page passes over are read from the index alone; only those it shows are fetched. */
export const pageQuery = (db: Kysely<Database>, user: UserId, { page, limit, upload_status, as_of }: ListQuery) => {
  const ids = ofUser(db, user, upload_status)
    .$if(as_of !== undefined, (files) => files.where('id', '<=', as_of as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
  return db.selectFrom('files').select(RECORD_COLUMNS).where('id', 'in', ids).orderBy('id', 'desc')
}

async function pageOf(db: Kysely<Database>, user: UserId, query: ListQuery): Promise<FileRecord[]> {
  const rows = await pageQuery(db, user, query).execute()
  return rows.map(toRecord)
}

/** Kept counts, less what came after the first page: that is little, whatever the user has. */
async function countOf(db: Kysely<Database>, user: UserId, { upload_status, as_of }: ListQuery): Promise<number> {
  const kept = await db
    .selectFrom('file_counts')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('files'), sql.lit(0)).as('files'))
    .where('user_id', '=', user)
    .$if(upload_status !== undefined, (counts) => counts.where('upload_status', '=', upload_status as UploadStatus))
    .executeTakeFirstOrThrow()
  if (as_of === undefined) return Number(kept.files)
  const later = await ofUser(db, user, upload_status).where('id', '>', as_of).execute()
  return Number(kept.files) - later.length
}
