import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import { type FileId, isUuid, type UserId } from '../platform/ids.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { resolveSources } from './resolve-sources.ts'
import type { BatchInput, Submission } from './submission.ts'

type FileRow = Selectable<Database['files']>
type Limits = { readonly maxBatchFiles: number }

/**
 * What a submission means, or the first thing that is wrong with it. The order of the checks is part of the interface: unknown
 * ids, then another user's upload, then files that are not ready, then the size of the whole, then the sources' keys.
 */
export async function resolveInputs(
  trx: Transaction<Database>,
  blobs: BlobStore,
  user: UserId,
  submission: Submission,
  { maxBatchFiles }: Limits,
): Promise<BatchInput[]> {
  const owner = await uploadOwner(trx, submission.batchUploadId)
  const listed = await findListed(trx, user, submission.fileIds)
  if (owner !== undefined && owner !== user) throw new LipikError('forbidden', 'the upload belongs to another user')
  const uploaded = await findUploaded(trx, submission.batchUploadId)
  refuseUnready(uploaded, listed)
  const files = [...uploaded.filter(({ upload_status }) => upload_status === 'completed'), ...listed].map(toInput)
  refuseSources(submission)
  const named = new Set(files.map(({ fileId }) => fileId)).size + submission.sources.length
  if (named === 0) throw new LipikError('invalid_request', 'the submission names no file')
  if (named > maxBatchFiles) throw tooMany(maxBatchFiles)
  const sources = await resolveSources(trx, blobs, user, submission.sources)
  return [...new Map([...files, ...sources].map((input) => [input.fileId, input])).values()]
}

const tooMany = (most: number) => new LipikError('invalid_request', `a batch holds at most ${most} files`)

async function uploadOwner(trx: Transaction<Database>, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined
  const found = isUuid(id)
    ? await trx.selectFrom('upload_batches').select('user_id').where('id', '=', id).executeTakeFirst()
    : undefined
  if (!found) throw new LipikError('not_found', 'upload batch not found')
  return found.user_id
}

/** In the order they were listed. They are held until the batch is written: a deletion waits, or was first. */
async function findListed(trx: Transaction<Database>, user: UserId, ids: readonly string[]): Promise<FileRow[]> {
  const wanted = [...new Set(ids)]
  const known = wanted.filter(isUuid)
  const rows = known.length
    ? await trx
        .selectFrom('files')
        .selectAll()
        .where('id', '=', sql<string>`any(${known}::uuid[])`)
        .where('user_id', '=', user)
        .forShare()
        .execute()
    : []
  const byId = new Map(rows.map((row) => [row.id, row]))
  const missing = wanted.filter((id) => !byId.has(id.toLowerCase()))
  if (missing.length > 0) {
    throw new LipikError('not_found', 'file_ids not found', { details: { file_ids: missing.slice(0, 100) } })
  }
  return wanted.flatMap((id) => byId.get(id.toLowerCase()) ?? [])
}

async function findUploaded(trx: Transaction<Database>, id: string | undefined): Promise<FileRow[]> {
  if (id === undefined) return []
  return trx.selectFrom('files').selectAll().where('batch_upload_id', '=', id).orderBy('position').forShare().execute()
}

function refuseUnready(uploaded: readonly FileRow[], listed: readonly FileRow[]): void {
  const open = uploaded.filter(({ upload_status }) => upload_status === 'pending' || upload_status === 'uploading')
  if (open.length > 0) {
    throw new LipikError('conflict', `${open.length} files of the upload are still on their way to storage`)
  }
  const unready = listed.filter(({ upload_status }) => upload_status !== 'completed')
  if (unready.length === 0) return
  throw new LipikError('conflict', 'some file_ids are not completed', {
    details: { files: unready.slice(0, 100).map(({ id, upload_status }) => ({ file_id: id, upload_status })) },
  })
}

function refuseSources({ sources }: Submission): void {
  const errors = sources.flatMap(({ gcs_key, url }, at) =>
    (gcs_key === undefined) === (url === undefined)
      ? [{ path: `sources.${at}`, message: 'must have exactly one of gcs_key and url' }]
      : [],
  )
  if (errors.length > 0) throw new LipikError('invalid_request', 'some sources are not valid', { details: { errors } })
}

const toInput = (file: FileRow): BatchInput => ({
  fileId: file.id as FileId, // the files table holds file ids
  filename: file.filename,
  source: { key: file.storage_key },
  audioSeconds: file.estimated_duration_seconds,
})
