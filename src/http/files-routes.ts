import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { FilesService } from '../files/files-service.ts'
import { boundaryOf } from '../files/multipart.ts'
import { LipikError } from '../platform/errors.ts'
import { failures } from './failures.ts'
import {
  ACCEPTED_UPLOAD,
  DELETE_BODY,
  DELETE_RESULT,
  FILES_PAGE,
  IDEMPOTENCY_HEADERS,
  LIST_QUERY,
  UPLOAD_BODY,
  UPLOAD_PARAMS,
  UPLOAD_PROGRESS,
} from './files-schemas.ts'
import { drain, readBody } from './upload-body.ts'

const tags = ['files']

/** Receiving, following, listing and deleting a user's audio. */
export const filesRoutes =
  (files: FilesService): FastifyPluginAsync =>
  async (app) => {
    await app.register(uploadRoute(files))
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'GET',
      url: '/files/upload/:batch_upload_id',
      schema: {
        operationId: 'getUpload',
        summary: 'How far the files of an upload have come',
        tags,
        params: UPLOAD_PARAMS,
        response: { 200: UPLOAD_PROGRESS, ...failures(404) },
      },
      handler: ({ userId, params }) => files.status(userId, params.batch_upload_id),
    })
    typed.route({
      method: 'GET',
      url: '/files',
      schema: {
        operationId: 'listFiles',
        summary: "The caller's files, newest first",
        tags,
        querystring: LIST_QUERY,
        response: { 200: FILES_PAGE },
      },
      handler: ({ userId, query }) => files.list(userId, query),
    })
    typed.route({
      method: 'DELETE',
      url: '/files',
      schema: {
        operationId: 'deleteFiles',
        summary: 'Delete files with their objects, results and jobs: all of them or none',
        tags,
        body: DELETE_BODY,
        response: { 200: DELETE_RESULT, ...failures(404) },
      },
      handler: ({ userId, body }) => files.delete(userId, body.file_ids),
    })
  }

/** In a scope of its own: here alone a multipart body is left unread for the handler. */
const uploadRoute =
  (files: FilesService): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'POST',
      url: '/files/upload',
      schema: {
        operationId: 'uploadFiles',
        summary: 'Upload audio files',
        tags,
        consumes: ['multipart/form-data'],
        headers: IDEMPOTENCY_HEADERS,
        body: UPLOAD_BODY,
        response: { 202: ACCEPTED_UPLOAD, ...failures(409, 413) },
      },
      // The body is judged while it streams; its schema is for the description.
      validatorCompiler: ({ schema, ...part }) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler({ ...part, schema: IDEMPOTENCY_HEADERS }),
      handler: async (request, reply) => {
        const { answer, isRepeat } = await receive(files, request, reply, request.headers['idempotency-key'])
        if (isRepeat) reply.header('idempotency-replayed', 'true')
        return reply.code(202).send(answer)
      },
    })
  }

async function receive(files: FilesService, request: FastifyRequest, reply: FastifyReply, key: string | undefined) {
  const left = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort(new LipikError('cancelled', 'the client broke off'))
  })
  const length = request.headers['content-length']
  try {
    return await files.receive({
      user: request.userId,
      boundary: boundaryOf(request.headers['content-type']),
      body: readBody(request.raw),
      declaredBytes: length === undefined ? undefined : Number(length),
      idempotencyKey: key,
      signal: left.signal,
    })
  } catch (error) {
    const hasLeft = left.signal.aborted || (request.raw.destroyed && !request.raw.complete)
    if (hasLeft) throw new LipikError('cancelled', 'the client broke off', { cause: error })
    await drain(request.raw)
    if (!request.raw.complete) reply.header('connection', 'close')
    throw error
  }
}
