import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import { type JobId, newId } from '../platform/ids.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import type { LanguageScores } from '../speech/language.ts'
import { packBalance } from './channel-balance.ts'
import type { FileClaim } from './claim-job.ts'
import { jobKey, PRIORITY, QUEUES } from './queues.ts'
import { takeTurns, turnTime } from './take-turns.ts'

export type CutChunk = {
  readonly index: number
  readonly startMs: number
  readonly endMs: number
  readonly overlapMs: number
  readonly languageScores?: LanguageScores
  /** Of two channels: which side each 20 ms came from, -1 left to 1 right. */
  readonly channelBalance?: Float32Array
}

/** Makes chunk jobs of stored chunks and sends them to be recognised. False: the claim was overtaken and nothing was written. */
export async function addChunks(db: Kysely<Database>, claim: FileClaim, chunks: readonly CutChunk[]): Promise<boolean> {
  return transact(db, async (trx) => {
    if (!(await lockFile(trx, claim))) return false
    const first = await takeTurns(trx, claim.userId, 'chunk', chunks.length)
    const rows = chunks.map((chunk, at) => ({ ...chunkRow(claim, chunk), turn: first + at }))
    await trx.insertInto('jobs').values(rows).execute()
    await enqueue(
      trx,
      rows.map(({ id, turn }) => ({
        task: QUEUES.chunk,
        payload: { jobId: id },
        key: jobKey(id),
        priority: PRIORITY.fresh,
        runAt: turnTime(turn),
      })),
    )
    return true
  })
}

/** All chunks are out. Those that were quicker than the cutting may have ended already: then nobody else starts the merge. */
export async function endFanOut(
  db: Kysely<Database>,
  claim: FileClaim,
  totals: { readonly chunks: number; readonly durationMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    with file as (
      update jobs set
        total_chunks = ${totals.chunks}, end_ms = ${totals.durationMs}, audio_seconds = ${totals.durationMs / 1000},
        worker_id = null, error = null,
        phase = case when chunks_done + chunks_failed = ${totals.chunks} then 'merge' else 'chunks' end,
        attempts = case when chunks_done + chunks_failed = ${totals.chunks} then attempts - 1 else attempts end
      where id = ${claim.jobId} and fence = ${claim.fence} and worker_id is not null
        and status = 'processing' and phase = 'split'
      returning id, phase
    )
    select id, ${startMergeOf('file')} from file`.execute(db)
  return rows.length > 0
}

/**
 * Sends the file `of` to be merged when its phase has just become `merge`. To be used inside the statement that made it so:
 * the phase changes once, hence there is one merge. (That is also where `attempts` goes back by one: merging is not a retry.)
 */
export const startMergeOf = (of: 'file') => sql`
  case when ${sql.ref(`${of}.phase`)} = 'merge' then (
    select id from graphile_worker.add_job(
      ${QUEUES.file}, json_build_object('jobId', ${sql.ref(`${of}.id`)}),
      job_key := 'job:' || ${sql.ref(`${of}.id`)}, priority := ${PRIORITY.merge}::int, max_attempts := 1000)
  ) end as merge_job`

async function lockFile(trx: Transaction<Database>, claim: FileClaim) {
  return trx
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', claim.jobId)
    .where('fence', '=', claim.fence)
    .where('status', '=', 'processing')
    .where('worker_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
}

const chunkRow = (claim: FileClaim, chunk: CutChunk) => ({
  id: newId<JobId>() as string,
  kind: 'chunk' as const,
  batch_id: claim.batchId,
  user_id: claim.userId,
  file_id: claim.fileId,
  parent_id: claim.jobId,
  position: claim.position,
  chunk_index: chunk.index,
  status: 'queued' as const,
  audio_seconds: (chunk.endMs - chunk.startMs) / 1000,
  start_ms: Math.round(chunk.startMs),
  end_ms: Math.round(chunk.endMs),
  overlap_ms: Math.round(chunk.overlapMs),
  language_scores: chunk.languageScores ? JSON.stringify(chunk.languageScores) : null,
  channel_balance: chunk.channelBalance ? packBalance(chunk.channelBalance) : null,
})
