import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Failure, toFailure } from './errors.ts'

const FAILURE = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})
type OpenAiFailure = z.infer<typeof FAILURE>

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}
const CODES: Readonly<Record<number, string>> = { 401: 'invalid_api_key', 413: 'too_large', 429: 'rate_limit_exceeded' }

/** Response schemas of a route that answers in OpenAI's form. */
export const OPENAI_FAILURES = {
  400: FAILURE.describe('The request is not valid; `param` names the field.'),
  401: FAILURE.describe('The token or key is missing or not valid.'),
  413: FAILURE.describe('The body is too large.'),
  429: FAILURE.describe('A limit is used up; `Retry-After` says when to come back.'),
  500: FAILURE.describe('Something unexpected failed; the log has the cause under the `x-request-id`.'),
  503: FAILURE.describe('The voice cannot speak now; `Retry-After` says when to come back.'),
}

/** From here on failures have the form that OpenAI's clients read; what they are is decided where it always is. */
export function answerAsOpenAi(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error)
    if (failure.status >= 500) request.log.error({ error }, 'request failed')
    return reply
      .code(failure.status)
      .headers(failure.headers)
      .type('application/json; charset=utf-8')
      .send(toOpenAi(failure))
  })
}

function toOpenAi({ status, body: { detail } }: Failure): OpenAiFailure {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  const code = CODES[status] ?? (status < 500 ? 'invalid_value' : null)
  if (typeof detail === 'string') return { error: { message: detail, type, param: null, code } }
  // `toFailure` names the fields that are at fault so.
  const [fault] = (detail.errors ?? []) as readonly { path: string; message: string }[]
  const message = fault ? `${fault.path}: ${fault.message}` : String(detail.message ?? 'the request is not valid')
  return { error: { message, type, param: fault?.path || null, code } }
}
