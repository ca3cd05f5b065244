import type { IncomingMessage } from 'node:http'
import { LipikError } from '../platform/errors.ts'

const IDLE_MS = 60_000
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 10_000

/** The request's bytes as they come. A client that sends nothing for a minute is taken for gone. */
export async function* readBody(request: IncomingMessage, idleMs = IDLE_MS): AsyncGenerator<Buffer> {
  const idle = setTimeout(() => request.destroy(new LipikError('cancelled', 'the client stopped sending')), idleMs)
  try {
    // The stream has to outlive a refusal: destroying it would take the connection, and the answer, with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      idle.refresh()
      yield chunk
    }
  } finally {
    clearTimeout(idle)
  }
}

/**
 * Takes what a refused client is still sending, so that it comes to read the answer: most clients read only when they
 * have written. A client with far more to send is cut off.
 */
export function drain(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let bytes = 0
  const giveUp = setTimeout(() => request.destroy(), DRAIN_MS).unref()
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DRAIN_BYTES) request.destroy()
  })
  request.once('close', () => clearTimeout(giveUp))
  request.on('error', () => {})
  request.resume()
}
