import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { BatchOptions } from '../batches/batch-options.ts'
import { batchStatus } from '../batches/job-state.ts'
import { PRIORITY, QUEUES } from '../batches/queues.ts'
import type { Database } from '../platform/database/schema.ts'
import type { Logger } from '../platform/log.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { type AddressRule, checkUrl, guardedRequest } from './guarded-request.ts'

export const WebhookJob = z.object({ batchId: z.string(), attempt: z.number().int() })
type WebhookJob = z.infer<typeof WebhookJob>

export type WebhookDeps = { readonly db: Kysely<Database>; readonly log: Logger; readonly webhooks: AddressRule }

/** After ten seconds, then ever later, for a day in all. */
const RETRY_SECONDS = [10, 60, 300, 1800, 7200, 21_600, 54_000]
const TIMEOUT_MS = 10_000

type EndedBatch = {
  readonly id: string
  readonly options: BatchOptions
  readonly total: number
  readonly completed: number
  readonly partial: number
  readonly failed: number
  readonly finished_at: Date
}

/** Tells a batch's listener that it has ended. What cannot be delivered is tried again; a batch begun anew meanwhile is not told. */
export async function deliverWebhook(deps: WebhookDeps, job: WebhookJob, stopped: AbortSignal): Promise<void> {
  const { rows } = await sql<EndedBatch>`
    select id, options, total_files as total, files_completed as completed, files_partial as partial,
      files_failed as failed, finished_at
    from batches where id = ${job.batchId} and finished_at is not null`.execute(deps.db)
  const [batch] = rows
  if (!batch?.options.webhook) return
  const { url, secret } = batch.options.webhook
  const body = JSON.stringify(bodyOf(batch))
  try {
    const headers = signedHeaders(secret, body, deliveryId(batch), Math.floor(Date.now() / 1000))
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await guardedRequest(checkUrl(url, deps.webhooks), deps.webhooks, {
      method: 'POST',
      headers,
      body,
      signal,
    })
    response.destroy()
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode >= 300) throw new Error(`the listener answered ${statusCode}`)
  } catch (error) {
    await tryLater(deps, job, error)
  }
}

const bodyOf = (batch: EndedBatch) => ({
  type: 'batch.ended',
  delivery_id: deliveryId(batch),
  batch_id: batch.id,
  status: batchStatus({ ...batch, started: true }),
  total_files: batch.total,
  files_completed: batch.completed + batch.partial,
  files_failed: batch.failed,
  finished_at: batch.finished_at.toISOString(),
})

/** The same for every try of one end of a batch: a listener that has seen it need not act again. */
const deliveryId = ({ id, finished_at }: EndedBatch): string => `${id}-${finished_at.getTime()}`

/** The time is signed too, so that a listener can refuse what was recorded and is sent again later. */
function signedHeaders(secret: string, body: string, id: string, time: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'lipik-delivery': id,
    'lipik-signature': `t=${time},v1=${signature}`,
  }
}

async function tryLater({ db, log }: WebhookDeps, { batchId, attempt }: WebhookJob, error: unknown): Promise<void> {
  const wait = RETRY_SECONDS[attempt - 1]
  log.warn({ batchId, attempt, error, givenUp: wait === undefined }, 'webhook not delivered')
  if (wait === undefined) return
  const runAt = new Date(Date.now() + wait * 1000)
  const payload = { batchId, attempt: attempt + 1 }
  await enqueue(db, [{ task: QUEUES.webhook, payload, key: `webhook:${batchId}`, priority: PRIORITY.chore, runAt }])
}
