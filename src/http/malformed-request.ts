import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'

type ClientError = Error & { readonly code?: string }
type Socket = { readonly writable: boolean; end(text: string): void; destroy(error?: Error): void }

const STATUS_OF: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Bytes that are not HTTP never become a request, so no hook sees them: the answer is written by hand. */
export function answerMalformed(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400
  const body = JSON.stringify({ detail: (STATUS_CODES[status] ?? 'bad request').toLowerCase() })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
