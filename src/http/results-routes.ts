import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Page } from '../batches/batch-results.ts'
import type { BatchesService } from '../batches/batches-service.ts'
import { LipikError } from '../platform/errors.ts'
import { toPlainText, toSrt, toVtt } from '../transcription/subtitles.ts'
import {
  BATCH_PARAMS,
  DOWNLOAD_QUERY,
  FILE_PARAMS,
  FILE_QUERY,
  FILE_RESULT,
  MISSING,
  RESULTS_PAGE,
  RESULTS_QUERY,
  SCRIPT_QUERY,
} from './batch-schemas.ts'
import { failures } from './failures.ts'

const tags = ['results']
const NO_BATCH = { error: 'batch not found' }
const NO_FILE = { error: 'file not found' }

/** Reading what became of files: pages, single files, subtitles and whole batches. */
export const resultsRoutes =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    await app.register(pageRoute(batches))
    await app.register(fileRoutes(batches))
    await app.register(downloadRoute(batches))
  }

const pageRoute =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'GET',
      url: '/transcribe/results/batch/:batch_id',
      schema: {
        operationId: 'getBatchResults',
        summary: 'Results of a batch, page by page, in the order of submission',
        tags,
        params: BATCH_PARAMS,
        querystring: RESULTS_QUERY,
        response: { 200: RESULTS_PAGE, 404: MISSING },
      },
      handler: async ({ userId, params, query }, reply) => {
        const { page, limit, status, raw, chunks, speech_information: speech } = query
        const batch = await batches.find(userId, params.batch_id)
        if (!batch && status === undefined) return reply.code(404).send(NO_BATCH)
        const at = { page, limit, status }
        const head = { batch_id: params.batch_id, page, limit }
        if (raw) {
          const found = batch ? await batches.jobs(batch, at, { speech }) : EMPTY
          return { ...head, ...totals(found, limit), total_jobs: found.total, jobs: [...found.items] }
        }
        const found = batch ? await batches.files(batch, at, { chunks, speech }) : EMPTY
        return { ...head, ...totals(found, limit), total_files: found.total, files: [...found.items] }
      },
    })
  }

const EMPTY = { total: 0, items: [] } as const

const totals = ({ total, items }: Page<unknown>, limit: number) => ({
  total_pages: Math.ceil(total / limit),
  count: items.length,
})

const WRITERS = { srt: toSrt, vtt: toVtt, txt: toPlainText } as const
const MEDIA = { srt: 'application/x-subrip', vtt: 'text/vtt', txt: 'text/plain' } as const

const fileRoutes =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'GET',
      url: '/transcribe/results/file/:file_id',
      schema: {
        operationId: 'getFileResult',
        summary: 'The newest result of a file',
        tags,
        params: FILE_PARAMS,
        querystring: FILE_QUERY,
        response: { 200: FILE_RESULT, 404: MISSING },
      },
      handler: async ({ userId, params, query }, reply) => {
        const show = { chunks: query.chunks, speech: query.speech_information, script: query.script }
        const found = await batches.file(userId, params.file_id, show)
        return found ?? reply.code(404).send(NO_FILE)
      },
    })
    typed.route({
      method: 'GET',
      url: '/transcribe/results/file/:file_id/transcript.:format',
      schema: {
        operationId: 'getTranscript',
        summary: 'The newest transcript of a file as subtitles or plain text',
        tags,
        params: FILE_PARAMS.extend({ format: z.enum(['srt', 'vtt', 'txt']) }),
        querystring: SCRIPT_QUERY,
        produces: Object.values(MEDIA),
        response: { 200: z.string(), 404: MISSING, ...failures(409) },
      },
      // A transcript is sent as it is; only a failure is JSON.
      serializerCompiler: () => (data) => (typeof data === 'string' ? data : JSON.stringify(data)),
      handler: async ({ userId, params: { file_id, format }, query }, reply) => {
        const file = await batches.file(userId, file_id, { chunks: false, speech: false })
        if (!file) return reply.code(404).send(NO_FILE)
        const segments = await batches.segments(userId, file_id, query.script)
        if (!segments) throw new LipikError('conflict', `the file has no transcript: it is ${file.status}`)
        return reply.type(`${MEDIA[format]}; charset=utf-8`).send(WRITERS[format](segments))
      },
    })
  }

const downloadRoute =
  (batches: BatchesService): FastifyPluginAsync =>
  async (app) => {
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'GET',
      url: '/transcribe/download/batch/:batch_id',
      schema: {
        operationId: 'downloadBatch',
        summary: 'All results of a batch as one stream',
        tags,
        params: BATCH_PARAMS,
        querystring: DOWNLOAD_QUERY,
        produces: ['application/x-ndjson', 'application/json'],
        response: { 200: z.unknown().describe('One result a line, or one JSON object.'), ...failures(404) },
      },
      handler: async ({ userId, params, query }, reply) => {
        const batch = await batches.find(userId, params.batch_id)
        if (!batch) throw new LipikError('not_found', 'batch not found')
        const { format, raw, status, chunks, speech_information: speech } = query
        const pieces = await batches.download(batch, { format, raw, status, chunks, speech })
        return reply
          .type(format === 'json' ? 'application/json; charset=utf-8' : 'application/x-ndjson')
          .header('content-disposition', `attachment; filename="batch-${batch.id}.${format}"`)
          .send(Readable.from(pieces, { objectMode: false }))
      },
    })
  }
