import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import type { Transcript } from '../speech/transcript.ts'
import type { Claim } from './claim-job.ts'
import { announceEnd } from './finish-batch.ts'
import { forgetObjects } from './forget-objects.ts'
import type { JobFault } from './job-fault.ts'
import { type FileOutcome, move } from './job-state.ts'

/** Whether chunks and what the engine made of them stay in storage after the file has ended. */
export type ObjectRule = { readonly keepObjects: boolean }

export type FileEnd = {
  readonly move: FileOutcome
  readonly transcript?: Transcript
  readonly fault?: JobFault
}

/** The file's one end, and its batch's counter with it. False: the claim was overtaken, nothing was written. */
export async function endFile(
  db: Kysely<Database>,
  claim: Claim,
  end: FileEnd,
  { keepObjects }: ObjectRule,
): Promise<boolean> {
  const { from, to } = move(end.move)
  return transact(db, async (trx) => {
    const { rows } = await sql<{ batch_id: string; user_id: string }>`
      update jobs as file set
        status = ${to}, worker_id = null, finished_at = now(),
        result = ${end.transcript ? JSON.stringify(end.transcript) : null}::jsonb,
        error = ${end.fault ? JSON.stringify(end.fault) : null}::jsonb,
        total_chunks = coalesce(total_chunks, (${chunksOf('file')}))
      where id = ${claim.jobId} and fence = ${claim.fence} and worker_id is not null
        and kind = 'file' and status = any(${from})
      returning batch_id, user_id`.execute(trx)
    const [ended] = rows
    if (!ended) return false
    const { batch_id: batchId, user_id: userId } = ended
    if (!keepObjects) await forgetObjects(trx, [{ userId, batchId, fileJobId: claim.jobId }])
    await announceEnd(trx, batchId, { [to]: 1 })
    return true
  })
}

const chunksOf = (file: string) => sql`
  select count(*) from jobs as chunk
  where chunk.batch_id = ${sql.ref(`${file}.batch_id`)} and chunk.position = ${sql.ref(`${file}.position`)} and chunk.kind = 'chunk'`
