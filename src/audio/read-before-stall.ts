import { LipikError } from '../platform/errors.ts'

/** Passes a stream on, and gives up when the next piece lets itself be waited for too long. */
export async function* readBeforeStall(stream: AsyncIterable<Buffer>, stallMs: number): AsyncGenerator<Buffer, void> {
  const pieces = stream[Symbol.asyncIterator]()
  let waiting = false
  try {
    for (;;) {
      waiting = true
      const piece = await inTime(pieces.next(), stallMs)
      waiting = false
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // While a read hangs, `return` would queue up behind it for ever; whoever owns the stream ends it then.
    if (!waiting) await pieces.return?.()
  }
}

async function inTime<T>(promise: Promise<T>, stallMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<never>((_, reject) => {
    const error = new LipikError('audio_corrupt', `decoding made no progress for ${stallMs} ms`)
    timer = setTimeout(() => reject(error), stallMs)
  })
  try {
    return await Promise.race([promise, stalled])
  } finally {
    clearTimeout(timer)
  }
}
