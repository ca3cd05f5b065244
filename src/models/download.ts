import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import registryFetch from 'npm-registry-fetch'
import type { NpmSettings } from './npm-settings.ts'

export type ByteReport = (doneBytes: number, totalBytes: number | undefined) => void

export type Download = {
  readonly url: string
  /** Grows while bytes come in, survives a break or a crash, and is gone on with by the next call. */
  readonly target: string
  readonly settings: NpmSettings
  readonly onBytes?: ByteReport
  readonly signal?: AbortSignal | undefined
}

/** Attempts in a row that brought nothing; a broken line that still moves is never given up. */
const FRUITLESS_ATTEMPTS = 3
const PAUSE_MS = 500

/**
 * Fetches `url` into `target`, continuing where an earlier attempt broke off. Through npm's own client also for
 * addresses outside the registry, so that the user's proxy and certificates hold everywhere.
 */
export async function download(job: Download): Promise<void> {
  await mkdir(dirname(job.target), { recursive: true })
  for (let fruitless = 0; ; ) {
    const before = await sizeOf(job.target)
    const failure = await attempt(job, before).catch((error: unknown) => error)
    if (failure === undefined) return
    job.signal?.throwIfAborted()
    fruitless = (await sizeOf(job.target)) > before ? 0 : fruitless + 1
    if (fruitless >= FRUITLESS_ATTEMPTS || !mayPass(failure)) throw failure
    await delay(PAUSE_MS * 2 ** fruitless, undefined, { ...(job.signal && { signal: job.signal }) })
  }
}

async function attempt(job: Download, offset: number): Promise<void> {
  const response = await registryFetch(job.url, {
    ...job.settings,
    // Compression on the way would make offsets meaningless.
    headers: { 'accept-encoding': 'identity', ...(offset > 0 && { range: `bytes=${offset}-` }) },
    ...(job.signal && { signal: job.signal }),
  }).catch((error: unknown) => {
    // 416: all of it is here already, or more than all; the hash will tell.
    if (offset > 0 && codeOf(error) === 'E416') return undefined
    throw error
  })
  if (!response?.body) return
  const continues = response.status === 206 && startOf(response.headers.get('content-range')) === offset
  const from = continues ? offset : 0
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const total = Number.isFinite(length) ? from + length : undefined
  await receive(job, response.body, from, total)
}

async function receive(job: Download, body: NodeJS.ReadableStream, from: number, total: number | undefined) {
  let done = from
  const counted = new Transform({
    transform(block: Uint8Array, _encoding, next) {
      done += block.length
      job.onBytes?.(done, total)
      next(null, block)
    },
  })
  const file = createWriteStream(job.target, { flags: from > 0 ? 'a' : 'w' })
  await pipeline(Readable.from(body), counted, file, { ...(job.signal && { signal: job.signal }) })
  if (total !== undefined && done < total) throw new BrokenOff(`the connection ended after ${done} of ${total} bytes`)
}

class BrokenOff extends Error {}

/** A refusal, or a name nobody knows, is the same a second later; a broken line is not. */
function mayPass(error: unknown): boolean {
  const code = codeOf(error)
  return !/^E[45]\d\d$|^ENOTFOUND$|^ECONNREFUSED$|^EAI_|^EACCES$|^ENOSPC$|^EROFS$|CERT|^ERR_TLS/.test(code)
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const startOf = (contentRange: string | null) => Number(/^bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? Number.NaN)

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

export const discard = (path: string) => rm(path, { recursive: true, force: true })
