import type { IncomingMessage } from 'node:http'
import { LipikError } from '../platform/errors.ts'

const IDLE_MS = 60_000
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 10_000
const DRAIN_IDLE_MS = 500

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
 * Takes what a refused client is still sending before it is answered: most clients read only when they have written, and
 * a connection closed on them would swallow the answer. One with far more to send, or that waits, is answered as it is.
 */
export async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  let bytes = 0
  await new Promise<void>((resolve) => {
    const whole = setTimeout(resolve, DRAIN_MS)
    const idle = setTimeout(resolve, DRAIN_IDLE_MS)
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      idle.refresh()
      if (bytes > DRAIN_BYTES) resolve()
    })
    request.once('close', () => {
      clearTimeout(whole)
      clearTimeout(idle)
      resolve()
    })
    request.on('error', () => {})
    request.once('end', resolve)
    request.resume()
  })
}
