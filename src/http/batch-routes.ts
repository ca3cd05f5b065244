import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { BatchesService } from '../batches/batches-service.ts'
import type { BatchProgress } from '../batches/progress.ts'
import type { Submission } from '../batches/submission.ts'
import { LipikError } from '../platform/errors.ts'
import type { UserId } from '../platform/ids.ts'
import type { Language } from '../speech/language.ts'
import {
  BATCH_PARAMS,
  BATCHES_PAGE,
  BATCHES_QUERY,
  CHANGED,
  PROGRESS,
  SUBMISSION,
  SUBMITTED,
  WAIT_QUERY,
} from './batch-schemas.ts'
import { failures } from './failures.ts'
import { IDEMPOTENCY_HEADERS } from './files-schemas.ts'
import { sendEvents, watchProgress } from './progress-events.ts'

const tags = ['batches']
const missing = () => new LipikError('not_found', 'batch not found')

export type BatchRoutesDeps = { readonly batches: BatchesService; readonly languages: readonly Language[] }

/** Submitting, following, cancelling and retrying batches. */
export const batchRoutes =
  ({ batches, languages }: BatchRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'POST',
      url: '/transcribe/batch',
      schema: {
        operationId: 'submitBatch',
        summary: 'Transcribe files, storage keys and addresses as one batch',
        tags,
        headers: IDEMPOTENCY_HEADERS,
        body: SUBMISSION,
        response: { 200: SUBMITTED, ...failures(403, 404, 409, 429) },
      },
      handler: async ({ userId, body, headers }, reply) => {
        const submission = toSubmission(body, languages)
        const { answer, isRepeat } = await batches.submit(userId, submission, headers['idempotency-key'])
        if (isRepeat) reply.header('idempotency-replayed', 'true')
        return answer
      },
    })
    await app.register(listRoutes(batches))
    await app.register(progressRoutes(batches))
    for (const [name, change] of [
      ['cancel', batches.cancel],
      ['retry', batches.retry],
    ] as const) {
      typed.route({
        method: 'POST',
        url: `/transcribe/batch/:batch_id/${name}`,
        schema: {
          operationId: `${name}Batch`,
          summary: SUMMARY[name],
          tags,
          params: BATCH_PARAMS,
          response: { 200: CHANGED, ...failures(404) },
        },
        handler: async ({ userId, params }) => {
          const files = await change(userId, params.batch_id)
          if (files === undefined) throw missing()
          return { batch_id: params.batch_id, files }
        },
      })
    }
  }

const listRoutes =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'GET',
      url: '/transcribe/batches',
      schema: {
        operationId: 'listBatches',
        summary: "The caller's batches, newest first",
        tags,
        querystring: BATCHES_QUERY,
        response: { 200: BATCHES_PAGE },
      },
      handler: ({ userId, query }) => batches.list(userId, query),
    })
    typed.route({
      method: 'DELETE',
      url: '/transcribe/batch/:batch_id',
      schema: {
        operationId: 'deleteBatch',
        summary: 'Delete a batch with its results, unfinished ones too; its files stay',
        tags,
        params: BATCH_PARAMS,
        response: { 200: CHANGED, ...failures(404) },
      },
      handler: async ({ userId, params }) => {
        const files = await batches.delete(userId, params.batch_id)
        if (files === undefined) throw missing()
        return { batch_id: params.batch_id, files }
      },
    })
  }

const SUMMARY = {
  cancel: 'End every file of the batch that has not ended; they fail with the code `cancelled`',
  retry: 'Transcribe the failed and partial files of the batch again',
}

const progressRoutes =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'GET',
      url: '/transcribe/status/batch/:batch_id',
      schema: {
        operationId: 'getBatchStatus',
        summary: 'How far a batch has come',
        tags,
        params: BATCH_PARAMS,
        querystring: WAIT_QUERY,
        response: { 200: PROGRESS, ...failures(404) },
      },
      handler: async ({ userId, params, query }, reply) =>
        waitForChange(batches, userId, params.batch_id, query.wait, reply),
    })
    typed.route({
      method: 'GET',
      url: '/transcribe/status/batch/:batch_id/events',
      schema: {
        operationId: 'followBatch',
        summary: 'The same as server-sent events, until the batch has ended',
        tags,
        params: BATCH_PARAMS,
        response: { 200: { content: { 'text/event-stream': { schema: z.string() } } }, ...failures(404) },
      },
      handler: async ({ userId, params, id }, reply) => {
        const read = () => batches.progress(userId, params.batch_id)
        const first = await read()
        if (!first) throw missing()
        await sendEvents(reply, id, first, read)
        return reply
      },
    })
  }

async function waitForChange(
  batches: BatchesService,
  user: UserId,
  batchId: string,
  waitSeconds: number,
  reply: FastifyReply,
): Promise<BatchProgress> {
  const read = () => batches.progress(user, batchId)
  const first = await read()
  if (!first) throw missing()
  if (waitSeconds === 0 || first.finished_at !== null) return first
  const patience = AbortSignal.timeout(waitSeconds * 1000)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  for await (const changed of watchProgress(first, read, AbortSignal.any([patience, gone.signal]))) return changed
  return (await read()) ?? first
}

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`

function toSubmission(body: z.infer<typeof SUBMISSION>, languages: readonly Language[]): Submission {
  const { language, script, tags: withTags, webhook_url: url } = body
  if (language !== undefined && !languages.includes(language)) {
    const errors = [{ path: 'language', message: `must be one of ${languages.join(', ')}` }]
    throw new LipikError('invalid_request', 'the request is not valid', { details: { errors } })
  }
  return {
    batchUploadId: body.batch_upload_id,
    fileIds: body.file_ids ?? [],
    sources: body.sources ?? [],
    options: {
      script,
      tags: withTags,
      ...(language === undefined ? {} : { language }),
      ...(url === undefined ? {} : { webhook: { url, secret: body.webhook_secret ?? newSecret() } }),
    },
  }
}
