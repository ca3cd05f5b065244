import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { scheduleDeletion } from '../files/deferred-deletion.ts'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import { type ErrorCode, LipikError, RETRYABLE } from '../platform/errors.ts'
import { hashUser } from '../platform/identity/user-hash.ts'
import { type FileId, newId, type UserId } from '../platform/ids.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { Transcript } from '../speech/transcript.ts'
import type { BatchOptions } from './batch-options.ts'
import type { JobFault } from './job-fault.ts'
import type { JobStatus } from './job-state.ts'
import { removeFileJobs } from './remove-jobs.ts'
import { type SubmitSettings, submitBatch } from './submit-batch.ts'

export type TranscribeNowDeps = {
  readonly db: Kysely<Database>
  readonly blobs: BlobStore
  readonly submit: SubmitSettings
  readonly maxFileBytes: number
}

/** Audio of one request, in storage until it is answered. */
export type StagedAudio = { readonly key: string; readonly filename: string }

const LOOK_EVERY_MS = 200
/** Should this process die, its staged audio is deleted after so long. */
const FORGOTTEN_AFTER_MS = 86_400_000

/** The deletion is noted before the object exists: whatever happens, it does not stay. */
export async function stageAudio(
  { db, blobs, maxFileBytes }: TranscribeNowDeps,
  user: UserId,
  filename: string,
  audio: AsyncIterable<Uint8Array>,
): Promise<StagedAudio> {
  const key = `users/${hashUser(user)}/direct/${newId<FileId>()}/audio`
  await transact(db, (trx) => scheduleDeletion(trx, [key], new Date(Date.now() + FORGOTTEN_AFTER_MS)))
  await blobs.put(key, atMost(maxFileBytes, audio))
  return { key, filename }
}

/** Storage that cannot delete it now is asked again later: that was noted when it was staged. */
export async function dropStaged({ blobs }: TranscribeNowDeps, { key }: StagedAudio): Promise<void> {
  await blobs.delete(key).catch(() => false)
}

async function* atMost(maxBytes: number, audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of audio) {
    bytes += piece.length
    if (bytes > maxBytes) throw new LipikError('too_large', `a file may have at most ${maxBytes} bytes`)
    yield piece
  }
  if (bytes === 0) throw new LipikError('audio_empty', 'the file is empty')
}

/** A batch of one file that its caller waits for; when it has ended, or the caller has gone, nothing of it stays. */
export async function transcribeNow(
  deps: TranscribeNowDeps,
  user: UserId,
  staged: StagedAudio,
  options: BatchOptions,
  signal: AbortSignal,
): Promise<Transcript> {
  const { db, blobs } = deps
  const { key, filename } = staged
  const submission = { fileIds: [], sources: [{ gcs_key: key, filename }], options }
  const { batchId } = await transact(db, (trx) => submitBatch(trx, blobs, deps.submit, user, submission)).catch(
    (error: unknown) => dropStaged(deps, staged).then(() => Promise.reject(error)),
  )
  try {
    return await waitForEnd(db, batchId, signal)
  } finally {
    await forget(deps, batchId, staged)
  }
}

type FileJob = { readonly status: JobStatus; readonly result: Transcript | null; readonly fault: JobFault | null }

async function waitForEnd(db: Kysely<Database>, batchId: string, signal: AbortSignal): Promise<Transcript> {
  for (;;) {
    const { rows } = await sql<FileJob>`
      select status, result, coalesce(error, (
        select error from jobs chunk where chunk.batch_id = ${batchId} and kind = 'chunk' and status = 'failed'
        order by chunk_index limit 1)) as fault
      from jobs where batch_id = ${batchId} and kind = 'file' and finished_at is not null`.execute(db)
    const [file] = rows
    if (file?.result) return file.result
    if (file) throw new LipikError(codeOf(file.fault), file.fault?.message ?? 'the audio could not be transcribed')
    await delay(LOOK_EVERY_MS, undefined, { signal })
  }
}

const codeOf = (fault: JobFault | null): ErrorCode =>
  fault && Object.hasOwn(RETRYABLE, fault.code) ? (fault.code as ErrorCode) : 'unavailable'

async function forget(deps: TranscribeNowDeps, batchId: string, staged: StagedAudio): Promise<void> {
  await transact(deps.db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from jobs where batch_id = ${batchId} and kind = 'file' for update`.execute(trx)
    const ids = rows.map(({ id }) => id)
    const { objectKeys } = await removeFileJobs(trx, ids, { keepObjects: true })
    await scheduleDeletion(trx, objectKeys)
    await trx.deleteFrom('batches').where('id', '=', batchId).execute()
  })
  await dropStaged(deps, staged)
}
