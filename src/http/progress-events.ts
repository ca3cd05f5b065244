import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { BatchProgress } from '../batches/progress.ts'

const LOOK_EVERY_MS = 1000
/** Proxies close what is silent for longer. */
const SIGN_OF_LIFE_MS = 15_000

type ReadProgress = () => Promise<BatchProgress | undefined>

/** What changed after `first`, until the batch has ended, was deleted, or `signal` says enough. */
export async function* watchProgress(
  first: BatchProgress,
  read: ReadProgress,
  signal: AbortSignal,
): AsyncGenerator<BatchProgress> {
  let last = first
  while (last.finished_at === null) {
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    const now = signal.aborted ? undefined : await read()
    if (!now) return
    if (hasMoved(last, now)) yield now
    last = now
  }
}

const hasMoved = (last: BatchProgress, now: BatchProgress): boolean =>
  last.status !== now.status ||
  last.files_completed !== now.files_completed ||
  last.files_failed !== now.files_failed ||
  last.total_files !== now.total_files ||
  last.completed_jobs !== now.completed_jobs

/** Server-sent events (WHATWG HTML, section 9.2): `progress` at first and at each change, `end` with the last. */
export async function sendEvents(
  reply: FastifyReply,
  requestId: string,
  first: BatchProgress,
  read: ReadProgress,
): Promise<void> {
  reply.hijack()
  const { raw } = reply
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': requestId,
  })
  const alive = setInterval(() => raw.write(': \n\n'), SIGN_OF_LIFE_MS)
  try {
    await send(raw, 'progress', first)
    let last = first
    for await (const changed of watchProgress(first, read, gone.signal)) {
      last = changed
      await send(raw, 'progress', changed)
    }
    if (!gone.signal.aborted) await send(raw, 'end', last)
    raw.end()
  } catch {
    // The answer has begun: breaking it off is the only way left to say that something failed.
    raw.destroy()
  } finally {
    clearInterval(alive)
  }
}

async function send(raw: FastifyReply['raw'], event: string, data: BatchProgress): Promise<void> {
  if (raw.destroyed) return
  if (!raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    await Promise.race([once(raw, 'drain'), once(raw, 'close')])
}
