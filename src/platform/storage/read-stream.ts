import type { Readable } from 'node:stream'

type Chunks = AsyncIterator<Uint8Array, unknown>

/**
 * Reads a network stream: the first chunk is waited for here, so that a missing object is known before any byte is
 * handed on, and the connection is given up with the reader or with the signal.
 */
export async function readStream(stream: Readable, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const stop = () => stream.destroy(asError(signal?.reason))
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  const forget = () => signal?.removeEventListener('abort', stop)
  // An abort between two reads has no reader to tell: without a listener it would end the process.
  stream.on('error', () => {})
  const chunks: Chunks = stream[Symbol.asyncIterator]()
  try {
    return rest(await chunks.next(), chunks, stream, forget)
  } catch (error) {
    forget()
    throw error
  }
}

async function* rest(
  first: IteratorResult<Uint8Array, unknown>,
  chunks: Chunks,
  stream: Readable,
  forget: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  } finally {
    forget()
    stream.destroy()
  }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error('aborted'))
