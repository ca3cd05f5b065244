import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type ErrorCode, LipikError } from '../platform/errors.ts'

/** Total: a code without a status does not compile. docs/errors.md holds the same table, and a test compares them. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  quota_exceeded: 429,
  queue_full: 503,
  unavailable: 503,
  not_audio: 400,
  audio_corrupt: 400,
  audio_empty: 400,
  audio_too_long: 400,
  url_refused: 400,
  url_failed: 400,
  url_unreachable: 503,
  blob_not_found: 404,
  storage_unavailable: 503,
  engine_busy: 503,
  engine_crashed: 503,
  engine_timeout: 503,
  model_unavailable: 503,
  worker_lost: 503,
  cancelled: 409,
}

/** What a caller is told to wait when the error itself does not say (`details.retry_after_seconds`). */
const RETRY_AFTER_SECONDS: Readonly<Record<number, number>> = { 429: 60, 503: 5 }

export type FieldFault = { readonly path: string; readonly message: string }
export type Failure = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly detail: string | Readonly<Record<string, unknown>> }
}

export const NOT_FOUND: Failure = { status: 404, headers: {}, body: { detail: 'not found' } }
const INTERNAL: Failure = { status: 500, headers: {}, body: { detail: 'internal error' } }

/** The only place where an error becomes a response. An error without a code says nothing about our insides. */
export function toFailure(error: unknown): Failure {
  if (error instanceof LipikError) return fromCode(error)
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(fieldFaults(error.validation))
  const status = statusOf(error)
  if (status === 413) return { status, headers: {}, body: { detail: 'the request body is too large' } }
  // A body in the wrong media type is one more malformed request: the contract knows only 400 for those.
  if (status === 400 || status === 415) return invalid([{ path: '', message: messageOf(error) }])
  if (status !== undefined && status > 400 && status < 500) {
    return { status, headers: retryAfter(status, undefined), body: { detail: messageOf(error) } }
  }
  return INTERNAL
}

function fromCode(error: LipikError): Failure {
  const status = STATUS[error.code]
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  const detail = error.details === undefined ? error.message : { message: error.message, ...error.details }
  return { status, headers: { ...challenge, ...retryAfter(status, error.details) }, body: { detail } }
}

function retryAfter(status: number, details: LipikError['details']): Record<string, string> {
  const asked = details?.retry_after_seconds
  const seconds = typeof asked === 'number' ? asked : RETRY_AFTER_SECONDS[status]
  return seconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

const invalid = (errors: readonly FieldFault[]): Failure => ({
  status: 400,
  headers: {},
  body: { detail: { message: 'the request is not valid', errors } },
})

type Fault = { readonly instancePath: string; readonly message?: string | undefined }

const fieldFaults = (faults: readonly Fault[]): FieldFault[] =>
  faults.map(({ instancePath, message }) => ({
    path: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message: message ?? 'is not valid',
  }))

/** Fastify and its plugins put the status they mean on the error. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'is not valid')
