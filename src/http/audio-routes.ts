import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { FilesService } from '../files/files-service.ts'
import { FILE_PARAMS } from './batch-schemas.ts'
import { readRange } from './byte-range.ts'
import { failures } from './failures.ts'

const BYTES = z.unknown().describe('The bytes that were uploaded.')
const UNSATISFIABLE = { detail: 'the range begins past the end of the file' }

/** A user's own audio, as it was uploaded; players ask for parts of it. */
export const audioRoutes =
  (files: FilesService): FastifyPluginAsync =>
  async (app) => {
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'GET',
      url: '/files/:file_id/audio',
      schema: {
        operationId: 'getAudio',
        summary: 'The audio of a file as it was uploaded, or a part of it',
        tags: ['files'],
        params: FILE_PARAMS,
        headers: z.object({ range: z.string().optional().describe('One range of bytes, such as `bytes=0-65535`.') }),
        produces: ['audio/*'],
        response: { 200: BYTES, 206: BYTES, ...failures(404, 409, 416) },
      },
      handler: async ({ userId, params, headers }, reply) => {
        const audio = await files.audio(userId, params.file_id)
        const range = readRange(headers.range, audio.bytes)
        reply.header('accept-ranges', 'bytes').header('cache-control', 'private, no-cache')
        if (range === 'unsatisfiable')
          return reply.code(416).header('content-range', `bytes */${audio.bytes}`).send(UNSATISFIABLE)
        const part = range === 'whole' ? { first: 0, last: audio.bytes - 1 } : range
        if (range !== 'whole')
          reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${audio.bytes}`)
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        const body = await audio.read(left.signal, range === 'whole' ? undefined : part)
        return reply
          .type(audio.contentType)
          .header('content-length', part.last - part.first + 1)
          .send(Readable.from(body, { objectMode: false }))
      },
    })
  }
