import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { ObjectRule } from './end-file.ts'
import { announceEnd, type EndedFiles } from './finish-batch.ts'
import { forgetObjects, STRAGGLER_SECONDS } from './forget-objects.ts'
import { chunkAudioKey, chunkRecordKey, type FileJobRef } from './job-objects.ts'
import { type JobStatus, UNFINISHED } from './job-state.ts'

export type RemovedJobs = {
  /** File jobs and chunk jobs together. */
  readonly jobs: number
  /** Objects that may lie in storage for them; the caller deletes them once its transaction is through. */
  readonly objectKeys: readonly string[]
}

type RemovedRow = {
  readonly id: string
  readonly user_id: string
  readonly batch_id: string
  readonly status: JobStatus
  readonly chunks: readonly RemovedChunk[]
}
type RemovedChunk = { readonly index: number; readonly ended: boolean }

/**
 * Removes every job of these files, running ones too, in the caller's transaction; their batches count them no longer.
 * Whoever still works on one finds no row to write to. What such a worker may yet store is looked for a while later.
 */
export const createRemoveJobsOf =
  (rule: ObjectRule) =>
  async (trx: Transaction<Database>, fileIds: readonly string[]): Promise<RemovedJobs> => {
    const { rows: files } = await sql<{ id: string }>`
    select id from jobs where file_id = any(${[...fileIds]}) and kind = 'file' order by id for update`.execute(trx)
    return removeFileJobs(
      trx,
      files.map(({ id }) => id),
      rule,
    )
  }

/** The file jobs `ids` must be locked already. */
export async function removeFileJobs(
  trx: Transaction<Database>,
  ids: readonly string[],
  rule: ObjectRule,
): Promise<RemovedJobs> {
  if (ids.length === 0) return { jobs: 0, objectKeys: [] }
  const { rows } = await sql<RemovedRow>`
    with chunks as (
      delete from jobs as chunk using jobs as file
      where file.id = any(${[...ids]}) and chunk.batch_id = file.batch_id and chunk.position = file.position
        and chunk.kind = 'chunk'
      returning chunk.parent_id, json_build_object('index', chunk.chunk_index, 'ended', chunk.result is not null) as chunk
    ), files as (
      delete from jobs where id = any(${[...ids]}) returning id, user_id, batch_id, status
    )
    select files.*, array(select chunk from chunks where parent_id = files.id) as chunks from files`.execute(trx)
  await uncount(trx, rows)
  const refs = rows.map(({ id, user_id, batch_id }) => ({ userId: user_id, batchId: batch_id, fileJobId: id }))
  await forgetObjects(trx, refs, STRAGGLER_SECONDS)
  const objectKeys = rows.flatMap((row, at) => storedObjects(row, refs[at], rule))
  return { jobs: rows.reduce((sum, { chunks }) => sum + 1 + chunks.length, 0), objectKeys }
}

/** What lies in storage for it: the audio of each chunk, and of each recognised one what the engine made of it. */
function storedObjects({ status, chunks }: RemovedRow, file: FileJobRef | undefined, { keepObjects }: ObjectRule) {
  if (!file || (!keepObjects && !UNFINISHED.includes(status))) return []
  return chunks.flatMap(({ index, ended }) =>
    keepObjects && ended ? [chunkAudioKey(file, index), chunkRecordKey(file, index)] : [chunkAudioKey(file, index)],
  )
}

async function uncount(trx: Kysely<Database>, rows: readonly RemovedRow[]): Promise<void> {
  const batches = new Map<string, EndedFiles & { files: number }>()
  for (const { batch_id, status } of rows) {
    const counts = batches.get(batch_id) ?? { files: 0 }
    batches.set(batch_id, { ...counts, files: counts.files - 1, [status]: (counts[status] ?? 0) - 1 })
  }
  const inOrder = [...batches].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [batchId, { files, ...ended }] of inOrder) await announceEnd(trx, batchId, ended, files)
}
