import { sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type BatchId, type JobId, newId, type UserId } from '../platform/ids.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { checkQueueDepth, checkQuota, type Quota } from './check-limits.ts'
import { currentLoad, currentSpeed } from './estimate.ts'
import { waiting } from './give-back.ts'
import { resolveInputs } from './resolve-inputs.ts'
import type { BatchInput, Submission } from './submission.ts'
import { takeTurns } from './take-turns.ts'

export type SubmitSettings = {
  readonly maxBatchFiles: number
  readonly maxQueueDepth: number
  /** Absent: not checked. */
  readonly quota?: Quota
  /** A worker not heard of for this long counts as gone. */
  readonly silentSeconds: number
}

export type SubmittedBatch = {
  readonly batchId: BatchId
  readonly audioSeconds: number
  readonly completionSeconds: number
  readonly files: readonly BatchInput[]
}

/** Checks, writes and enqueues in the caller's transaction: a submission is there as a whole or not at all. */
export async function submitBatch(
  trx: Transaction<Database>,
  blobs: BlobStore,
  settings: SubmitSettings,
  user: UserId,
  submission: Submission,
): Promise<SubmittedBatch> {
  const files = await resolveInputs(trx, blobs, user, submission, settings)
  const audioSeconds = files.reduce((sum, file) => sum + file.audioSeconds, 0)
  if (settings.quota) await checkQuota(trx, user, settings.quota, { files: files.length, audioSeconds })
  const load = await currentLoad(trx)
  const speed = await currentSpeed(trx, settings.silentSeconds)
  checkQueueDepth(load.jobs, files.length, settings.maxQueueDepth, load.audioSeconds / speed)
  const batchId = newId<BatchId>()
  await trx
    .insertInto('batches')
    .values({
      id: batchId,
      user_id: user,
      options: JSON.stringify(submission.options),
      submitted_files: files.length,
      total_files: files.length,
      audio_seconds: audioSeconds,
    })
    .execute()
  await insertFiles(trx, user, batchId, files)
  return { batchId, audioSeconds, completionSeconds: (load.audioSeconds + audioSeconds) / speed, files }
}

async function insertFiles(
  trx: Transaction<Database>,
  user: UserId,
  batchId: BatchId,
  files: readonly BatchInput[],
): Promise<void> {
  const first = await takeTurns(trx, user, 'file', files.length)
  const rows = files.map(({ fileId, filename, source, audioSeconds }, position) => ({
    id: newId<JobId>(),
    file_id: fileId,
    position,
    turn: first + position,
    filename,
    source,
    audio_seconds: audioSeconds,
  }))
  // As one JSON value: ten thousand rows have more fields than a statement may have parameters.
  await sql`
    insert into jobs (id, kind, batch_id, user_id, file_id, position, chunk_index, status, phase, turn, filename, source, audio_seconds)
    select id, 'file', ${batchId}, ${user}, file_id, position, -1, 'queued', 'split', turn, filename, source, audio_seconds
    from json_to_recordset(${JSON.stringify(rows)}::json) as row(
      id uuid, file_id uuid, position int, turn bigint, filename text, source jsonb, audio_seconds float8)`.execute(trx)
  await enqueue(
    trx,
    rows.map(({ id, turn }) => waiting('file', id, { turn, phase: 'split' })),
  )
}
