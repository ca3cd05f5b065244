import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { LanguageScores } from '../speech/language.ts'
import type { BatchOptions } from './batch-options.ts'
import { move } from './job-state.ts'

/** Where a file's audio is: an object of ours, or an address to fetch. */
export type AudioSource = { readonly key: string } | { readonly url: string }

/**
 * The right to work on a job. Every later write asks whether `fence` is still the job's and a worker still holds it: a claim that
 * was overtaken writes nothing, nor does one that was given up, as when a file has been cut and now waits for its chunks.
 */
export type Claim = { readonly jobId: string; readonly fence: number; readonly attempts: number }

export type FileClaim = Claim & {
  readonly phase: 'split' | 'merge'
  readonly userId: string
  readonly batchId: string
  readonly fileId: string
  readonly position: number
  readonly filename: string
  readonly source: AudioSource
  readonly options: BatchOptions
  /** Known from the cutting on, absent before. */
  readonly durationMs: number | null
}

export type ChunkClaim = Claim & {
  readonly parentId: string
  readonly userId: string
  readonly batchId: string
  readonly chunkIndex: number
  readonly startMs: number
  readonly endMs: number
  readonly options: BatchOptions
  /** What was heard about its language at the cutting; null: the recogniser finds out. */
  readonly languageScores: LanguageScores | null
  /** As `packBalance` wrote it; null for one channel. */
  readonly channelBalance: Uint8Array | null
}

/**
 * Undefined: there is nothing to do (ended, deleted, or waiting for its chunks). A file whose first worker died while cutting
 * is cut anew: the chunks of the first cut go in the same statement, so that none of them can end up in the result.
 */
export async function claimFile(db: Kysely<Database>, jobId: string, workerId: string): Promise<FileClaim | undefined> {
  const { from, to } = move('claim')
  const { rows } = await sql<FileClaim>`
    with claimed as (
      update jobs set
        status = ${to}, worker_id = ${workerId}, fence = fence + 1, attempts = attempts + 1,
        started_at = coalesce(started_at, now()),
        chunks_done = case phase when 'split' then 0 else chunks_done end,
        chunks_failed = case phase when 'split' then 0 else chunks_failed end
      where id = ${jobId} and kind = 'file' and phase in ('split', 'merge') and status = any(${from})
      returning *
    ), cut_before as (
      delete from jobs using claimed
      where claimed.phase = 'split' and jobs.batch_id = claimed.batch_id
        and jobs.position = claimed.position and jobs.kind = 'chunk'
    )
    select claimed.id as "jobId", fence, attempts, phase, claimed.user_id as "userId", batch_id as "batchId",
      file_id as "fileId", position, filename, source, end_ms as "durationMs", batches.options
    from claimed join batches on batches.id = claimed.batch_id`.execute(db)
  return rows[0]
}

/** Undefined: ended or deleted meanwhile. */
export async function claimChunk(
  db: Kysely<Database>,
  jobId: string,
  workerId: string,
): Promise<ChunkClaim | undefined> {
  const { from, to } = move('claim')
  const { rows } = await sql<ChunkClaim>`
    update jobs set
      status = ${to}, worker_id = ${workerId}, fence = fence + 1, attempts = attempts + 1,
      started_at = coalesce(started_at, now())
    from batches
    where jobs.id = ${jobId} and kind = 'chunk' and status = any(${from}) and batches.id = jobs.batch_id
    returning jobs.id as "jobId", fence, attempts, parent_id as "parentId", jobs.user_id as "userId",
      batch_id as "batchId", chunk_index as "chunkIndex", start_ms as "startMs", end_ms as "endMs", batches.options,
      language_scores as "languageScores", channel_balance as "channelBalance"`.execute(db)
  return rows[0]
}
