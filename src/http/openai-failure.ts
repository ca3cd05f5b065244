import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { LipikError } from '../platform/errors.ts'
import { type Failure, toFailure } from './errors.ts'

const FAILURE = z.object({
  detail: z.unknown().describe('The same in the form of the other routes.'),
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
})
type OpenAiFailure = z.infer<typeof FAILURE>

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  413: 'too_large',
  429: 'rate_limit_exceeded',
  500: 'server_error',
  503: 'server_unavailable',
}

/** Response schemas of a route that answers in OpenAI's form. */
export const OPENAI_FAILURES = {
  400: FAILURE.describe('The request is not valid; `param` names the field.'),
  401: FAILURE.describe('The token or key is missing or not valid.'),
  413: FAILURE.describe('The body is too large.'),
  429: FAILURE.describe('A limit is used up; `Retry-After` says when to come back.'),
  500: FAILURE.describe('Something unexpected failed; the log has the cause under the `x-request-id`.'),
  503: FAILURE.describe('The service cannot do this now; `Retry-After` says when to come back.'),
}

/** From here on failures also have the form that OpenAI's clients read; what they are is decided where it always is. */
export function answerAsOpenAi(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error)
    if (failure.status >= 500) request.log.error({ error }, 'request failed')
    return reply
      .code(failure.status)
      .headers(failure.headers)
      .type('application/json; charset=utf-8')
      .send(inBothForms(error, failure))
  })
}

function inBothForms(error: unknown, { status, body: { detail } }: Failure): OpenAiFailure {
  const { code, param } = (error instanceof LipikError ? error.details : undefined) ?? {}
  const whole = typeof detail === 'string' ? { message: detail } : detail
  // `toFailure` names the fields that are at fault so.
  const [fault] = (whole.errors ?? []) as readonly { path: string; message: string }[]
  const field = fault?.path || (typeof param === 'string' ? param : null)
  const usual = CODES[status] ?? (field === null ? 'invalid_request' : 'invalid_value')
  return {
    detail,
    error: {
      message: fault ? [fault.path, fault.message].filter(Boolean).join(': ') : String(whole.message),
      type: typeOf(status),
      param: field,
      code: typeof code === 'string' ? code : usual,
    },
  }
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
