import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A caller's id is taken over only when it cannot break a log line or a header. */
const SANE = /^[\w.:+/=-]{1,128}$/

export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}
