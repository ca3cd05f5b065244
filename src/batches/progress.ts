import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { UserId } from '../platform/ids.ts'
import { currentSpeed } from './estimate.ts'
import { type BatchStatus, batchStatus, type JobStatus } from './job-state.ts'
import { findOwnBatch, type OwnBatch } from './own-batch.ts'

export type ProgressSettings = { readonly development: boolean; readonly silentSeconds: number }

export type BatchProgress = {
  readonly batch_id: string
  readonly total_files: number
  readonly files_completed: number
  readonly files_failed: number
  readonly estimated_audio_seconds: number
  readonly estimated_completion_seconds: number
  readonly status: BatchStatus
  readonly created_at: string
  readonly finished_at: string | null
  readonly total_jobs?: number
  readonly completed_jobs?: number
  readonly failed_jobs?: number
  readonly processing_jobs?: number
  readonly queued_jobs?: number
  readonly files_processing?: number
}

/** Cheap at any size: counters and one look whether work has begun. Undefined: no such batch. */
export async function readProgress(
  db: Kysely<Database>,
  settings: ProgressSettings,
  user: UserId,
  batchId: string,
): Promise<BatchProgress | undefined> {
  const batch = await findOwnBatch(db, user, batchId)
  if (!batch) return undefined
  const speed = batch.finishedAt ? 1 : await currentSpeed(db, settings.silentSeconds)
  return { ...toProgress(batch, speed), ...(settings.development ? await countJobs(db, batch) : {}) }
}

export const toProgress = (batch: OwnBatch, speed: number): BatchProgress => ({
  batch_id: batch.id,
  total_files: batch.totalFiles,
  files_completed: batch.completed + batch.partial,
  files_failed: batch.failed,
  estimated_audio_seconds: batch.audioSeconds,
  estimated_completion_seconds: secondsLeft(batch, speed),
  status: batchStatus({ ...batch, total: batch.totalFiles }),
  created_at: batch.createdAt.toISOString(),
  finished_at: batch.finishedAt?.toISOString() ?? null,
})

function secondsLeft({ totalFiles, completed, partial, failed, audioSeconds }: OwnBatch, speed: number): number {
  const left = totalFiles - completed - partial - failed
  return totalFiles === 0 ? 0 : Math.round(((left / totalFiles) * audioSeconds * 1000) / speed) / 1000
}

async function countJobs(db: Kysely<Database>, batch: OwnBatch) {
  const { rows } = await sql<{ kind: string; status: JobStatus; n: number }>`
    select kind, status, count(*) as n from jobs where batch_id = ${batch.id} group by kind, status`.execute(db)
  const count = (...statuses: JobStatus[]) =>
    rows.reduce((sum, { status, n }) => (statuses.includes(status) ? sum + n : sum), 0)
  const files = rows.filter(({ kind, status }) => kind === 'file' && (status === 'processing' || status === 'retrying'))
  return {
    total_jobs: rows.reduce((sum, { n }) => sum + n, 0),
    completed_jobs: count('completed', 'partial'),
    failed_jobs: count('failed'),
    processing_jobs: count('processing', 'retrying'),
    queued_jobs: count('queued'),
    files_processing: files.reduce((sum, { n }) => sum + n, 0),
  }
}
