import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import type { ChunkTranscript } from '../speech/transcript.ts'
import type { Claim } from './claim-job.ts'
import { startMergeOf } from './fan-out.ts'
import type { JobFault } from './job-fault.ts'
import { move } from './job-state.ts'

export type ChunkEnd = { readonly transcript: ChunkTranscript } | { readonly fault: JobFault }

/**
 * The chunk's end, its file's counter and the decision to merge are one statement, hence one transaction. The file is locked
 * first, as everywhere: file, then chunk, then batch. False: the claim was overtaken; the late result is dropped.
 */
export async function endChunk(db: Kysely<Database>, claim: Claim, end: ChunkEnd): Promise<boolean> {
  const done = 'transcript' in end
  const { from, to } = move(done ? 'complete' : 'fail')
  const { rows } = await sql`
    with locked as materialized (
      select id from jobs where id = (select parent_id from jobs where id = ${claim.jobId}) for update
    ), ended as (
      update jobs set
        status = ${to}, worker_id = null, finished_at = now(),
        result = ${done ? JSON.stringify(end.transcript) : null}::jsonb,
        error = ${done ? null : JSON.stringify(end.fault)}::jsonb
      where id = ${claim.jobId} and fence = ${claim.fence} and worker_id is not null and status = any(${from})
        and parent_id = (select id from locked)
      returning parent_id
    ), file as (
      update jobs set
        chunks_done = chunks_done + ${done ? 1 : 0}, chunks_failed = chunks_failed + ${done ? 0 : 1},
        phase = case when phase = 'chunks' and status = 'processing' and chunks_done + chunks_failed + 1 = total_chunks
          then 'merge' else phase end,
        attempts = case when phase = 'chunks' and status = 'processing' and chunks_done + chunks_failed + 1 = total_chunks
          then attempts - 1 else attempts end
      from ended where jobs.id = ended.parent_id
      returning jobs.id, phase, status
    )
    select id, ${startMergeOf('file')} from file`.execute(db)
  return rows.length > 0
}
