import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** The slice of an OpenAPI document that is changed here; the library's own type is three versions at once. */
type Responses = Record<string, { headers?: Record<string, unknown> }>
type Operation = { operationId?: string; responses?: Responses }
type Paths = Record<string, Record<string, Operation>>

const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } })

const REQUEST_ID = header('Names this request in the log; a sane id sent by the caller is kept.')
/** Headers that a status always brings, whichever route gives it. */
const HEADERS_OF_STATUS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  401: { 'www-authenticate': header('Always `Bearer`.') },
  416: { 'content-range': header('`bytes */` and how long the whole is.') },
  429: { 'retry-after': header('Seconds to wait.', 'integer') },
  503: { 'retry-after': header('Seconds to wait.', 'integer') },
}

const REPLAYED = {
  'idempotency-replayed': header('`true` when this is the first answer to this `Idempotency-Key` again.'),
}
const AUDIO = {
  'accept-ranges': header('Always `bytes`.'),
  'content-range': header('Which part this is, when one was asked for.'),
  'content-length': header('Bytes of this answer.', 'integer'),
  'cache-control': header('How long the answer may be kept.'),
}
const CACHED = { 'cache-control': header('How long the answer may be kept.') }
/** Headers that an operation brings with its success. */
const HEADERS_OF_OPERATION: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  uploadFiles: REPLAYED,
  submitBatch: REPLAYED,
  downloadBatch: { 'content-disposition': header('An attachment, with a name for the file.') },
  getAudio: AUDIO,
  getReadiness: CACHED,
  getKeys: CACHED,
}

const OPENAPI_VERSION = '3.1.0'

/** The document is made from the schemas that validate; only what no schema can say is added here. */
export async function registerOpenApi(app: FastifyInstance, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: OPENAPI_VERSION,
      info: {
        title: 'Lipik',
        version: '1.0.0',
        description: 'Speech to text for Hindi, English and both in one sentence.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: basePath === '' ? '/' : basePath }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (built) => {
      if (!('openapiObject' in built)) return built.swaggerObject
      addHeaders((built.openapiObject.paths ?? {}) as Paths)
      return built.openapiObject
    },
  })
}

function addHeaders(paths: Paths): void {
  for (const { operationId = '', responses = {} } of Object.values(paths).flatMap(Object.values<Operation>)) {
    for (const [status, response] of Object.entries(responses)) {
      const own = status.startsWith('2') ? HEADERS_OF_OPERATION[operationId] : {}
      response.headers = { 'x-request-id': REQUEST_ID, ...HEADERS_OF_STATUS[status], ...own, ...response.headers }
    }
  }
}
