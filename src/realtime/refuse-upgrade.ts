import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { LipikError } from '../platform/errors.ts'

type Refusal = { readonly status: number; readonly type: string; readonly code: string; readonly retrySeconds?: number }

const UNAUTHORIZED: Refusal = { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' }
const REFUSALS: Readonly<Record<string, Refusal>> = {
  unauthorized: UNAUTHORIZED,
  invalid_request: { status: 400, type: 'invalid_request_error', code: 'invalid_request' },
  not_found: { status: 404, type: 'invalid_request_error', code: 'not_found' },
  quota_exceeded: { status: 429, type: 'invalid_request_error', code: 'rate_limit_exceeded', retrySeconds: 5 },
}
const UNAVAILABLE: Refusal = { status: 503, type: 'server_error', code: 'server_unavailable', retrySeconds: 5 }

/** Answers an upgrade with an HTTP status, in both forms of failure: the service's own and the realtime protocol's. */
export function refuseUpgrade(socket: Duplex, error: LipikError): void {
  if (socket.destroyed) return
  const { status, type, code, retrySeconds } = REFUSALS[error.code] ?? UNAVAILABLE
  const asked = error.details?.retry_after_seconds
  const retry = typeof asked === 'number' ? Math.max(1, Math.ceil(asked)) : retrySeconds
  const { message } = error
  const body = JSON.stringify({ detail: message, error: { message, type, param: null, code } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...(status === 401 ? ['www-authenticate: Bearer'] : []),
    ...(retry === undefined ? [] : [`retry-after: ${retry}`]),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
