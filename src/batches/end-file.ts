import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { Transcript } from '../speech/transcript.ts'
import type { Claim } from './claim-job.ts'
import { announceEnd } from './finish-batch.ts'
import type { JobFault } from './job-fault.ts'
import { type FileOutcome, move } from './job-state.ts'

export type FileEnd = {
  readonly move: FileOutcome
  readonly transcript?: Transcript
  readonly fault?: JobFault
}

/** `chunksLeft`: chunks of a cut that broke off half-way, which still run to their own end. */
export type EndedFile = { readonly chunksLeft: number }

/** The file's one end, and its batch's counter with it. Undefined: the claim was overtaken, nothing was written. */
export async function endFile(db: Kysely<Database>, claim: Claim, end: FileEnd): Promise<EndedFile | undefined> {
  const { from, to } = move(end.move)
  return transact(db, async (trx) => {
    const { rows } = await sql<{ batch_id: string; left: number }>`
      update jobs as file set
        status = ${to}, worker_id = null, finished_at = now(),
        result = ${end.transcript ? JSON.stringify(end.transcript) : null}::jsonb,
        error = ${end.fault ? JSON.stringify(end.fault) : null}::jsonb,
        total_chunks = coalesce(total_chunks, (${chunksOf('file')}))
      where id = ${claim.jobId} and fence = ${claim.fence} and kind = 'file' and status = any(${from})
      returning batch_id, total_chunks - chunks_done - chunks_failed as left`.execute(trx)
    const [ended] = rows
    if (!ended) return undefined
    await announceEnd(trx, ended.batch_id, { [to]: 1 })
    return { chunksLeft: ended.left }
  })
}

const chunksOf = (file: string) => sql`
  select count(*) from jobs as chunk
  where chunk.batch_id = ${sql.ref(`${file}.batch_id`)} and chunk.position = ${sql.ref(`${file}.position`)} and chunk.kind = 'chunk'`
