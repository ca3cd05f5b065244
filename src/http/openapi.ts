import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** The slice of an OpenAPI document that is changed here; the library's own type is three versions at once. */
type Responses = Record<string, { headers?: Record<string, unknown> }>
type Paths = Record<string, Record<string, { responses?: Responses }>>

const header = (description: string, type: 'string' | 'integer' = 'string') => ({ description, schema: { type } })

const REQUEST_ID = header('Names this request in the log; a sane id sent by the caller is kept.')
/** Headers that a status always brings, whichever route gives it. */
const HEADERS_OF_STATUS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  401: { 'www-authenticate': header('Always `Bearer`.') },
  429: { 'retry-after': header('Seconds to wait.', 'integer') },
  503: { 'retry-after': header('Seconds to wait.', 'integer') },
}

export const OPENAPI_VERSION = '3.1.0'

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
  const responses = Object.values(paths).flatMap((path) => Object.values(path).map((each) => each.responses ?? {}))
  for (const [status, response] of responses.flatMap(Object.entries<Responses[string]>)) {
    response.headers = { 'x-request-id': REQUEST_ID, ...HEADERS_OF_STATUS[status], ...response.headers }
  }
}
