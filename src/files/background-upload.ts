import { type FileHandle, open } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { isRetryable, LipikError } from '../platform/errors.ts'
import type { FileId } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { RecurringWork } from './recurring-work.ts'
import type { Spool } from './spool.ts'
import { type ClaimedFile, UploadClaims } from './upload-claims.ts'

export type UploaderOptions = {
  readonly db: Kysely<Database>
  readonly spool: Spool
  readonly blobs: BlobStore
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'uploads'>
  /** Files moved at the same time. */
  readonly concurrency: number
  readonly maxAttempts: number
  /** Waits between the attempts; the last one is repeated. */
  readonly retrySeconds: readonly number[]
  /** A claim not renewed for this long is given back by whoever sees it. */
  readonly leaseMs?: number
  readonly pollMs?: number
  /** What a file given up may have left in storage is written down for deletion. */
  readonly onGaveUp: () => void
}

const LEASE_MS = 30_000
const POLL_MS = 2_000
const READ_BYTES = 1024 * 1024

type Moving = { readonly file: ClaimedFile; readonly stop: AbortController; ended: Promise<void>; leaseUntilMs: number }

/**
 * Moves files from the spool to storage: claim, put, compare, mark completed, and only then remove the spool copy. A
 * failed attempt waits and is tried again; a process that stops gives its claims back, one that dies loses them.
 */
export class BackgroundUpload {
  readonly #options: UploaderOptions
  readonly #claims: UploadClaims
  readonly #leaseMs: number
  readonly #moving = new Map<FileId, Moving>()
  readonly #taking: RecurringWork
  readonly #renewing: RecurringWork

  constructor(options: UploaderOptions) {
    const { db, spool, log } = options
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#claims = new UploadClaims(db, spool, this.#leaseMs)
    const everyMs = options.pollMs ?? POLL_MS
    this.#taking = new RecurringWork({ name: 'take uploads', everyMs, log, work: () => this.#take() })
    this.#renewing = new RecurringWork({
      name: 'renew upload claims',
      everyMs: this.#leaseMs / 3,
      log,
      work: () => this.#renew(),
    })
  }

  start(): void {
    this.#taking.start()
    this.#renewing.start()
  }

  wake(): void {
    this.#taking.wake()
  }

  async close(): Promise<void> {
    await this.#taking.close()
    await this.#renewing.close()
    const moving = [...this.#moving.values()]
    for (const { stop } of moving) stop.abort(new LipikError('cancelled', 'the service is stopping'))
    await Promise.all(moving.map(({ ended }) => ended))
  }

  async #take(): Promise<boolean> {
    await this.#claims.releaseLost()
    const free = this.#options.concurrency - this.#moving.size
    if (free <= 0) return false
    const files = await this.#claims.take(free)
    for (const file of files) {
      const moving: Moving = {
        file,
        stop: new AbortController(),
        ended: Promise.resolve(),
        leaseUntilMs: performance.now() + this.#leaseMs,
      }
      this.#moving.set(file.id, moving)
      moving.ended = this.#move(moving)
    }
    return files.length === free
  }

  async #move({ file, stop }: Moving): Promise<void> {
    try {
      await this.#put(file, stop.signal)
    } catch (error) {
      await this.#failed(file, stop.signal, error)
    } finally {
      this.#moving.delete(file.id)
      this.#taking.wake()
    }
  }

  async #put(file: ClaimedFile, signal: AbortSignal): Promise<void> {
    const { blobs, spool, metrics } = this.#options
    const copy = await open(spool.absolute(file.spoolPath))
    const stored = await blobs.put(file.storageKey, chunksOf(copy), signal).finally(() => copy.close())
    if (stored.bytes !== file.bytes || stored.sha256 !== file.sha256)
      throw new LipikError('audio_corrupt', 'the spool copy is not what was received')
    if (await this.#claims.store(file)) {
      await spool.remove(file.spoolPath)
      metrics.uploads.inc({ outcome: 'completed' })
    } else if (!(await this.#claims.exists(file))) {
      // Deleted while it was on its way; the delete has also written the key down, should this process die here.
      await blobs.delete(file.storageKey)
    }
  }

  async #failed(file: ClaimedFile, signal: AbortSignal, error: unknown): Promise<void> {
    const { log } = this.#options
    try {
      if (signal.aborted) await this.#claims.release(file)
      else await this.#judge(file, error)
    } catch (broken) {
      // The claim runs out by itself and the file is taken again.
      log.error({ error: broken, fileId: file.id }, 'an upload could not be given back')
    }
  }

  async #judge(file: ClaimedFile, error: unknown): Promise<void> {
    const { log, maxAttempts, metrics, onGaveUp, retrySeconds } = this.#options
    const attempt = file.attempts + 1
    const isFinal = attempt >= maxAttempts || isLost(error) || !isRetryable(error)
    log.warn({ error, fileId: file.id, attempt, isFinal }, 'an upload to storage failed')
    if (!isFinal) {
      const waitSeconds = retrySeconds[Math.min(file.attempts, retrySeconds.length - 1)] ?? 1
      metrics.uploads.inc({ outcome: 'retried' })
      await this.#claims.retry(file, waitSeconds * 1000, reasonOf(error))
    } else if (await this.#claims.giveUp(file, reasonOf(error))) {
      metrics.uploads.inc({ outcome: 'failed' })
      onGaveUp()
    }
  }

  /** Stops what is no longer ours: deleted, taken over, or not renewed in time because the database was away. */
  async #renew(): Promise<boolean> {
    const moving = [...this.#moving.values()]
    const askedMs = performance.now()
    try {
      const ours = await this.#claims.renew(moving.map(({ file }) => file))
      for (const each of moving) {
        if (ours.has(each.file.id)) each.leaseUntilMs = askedMs + this.#leaseMs
        else each.stop.abort(new LipikError('cancelled', 'the file is no longer ours to upload'))
      }
    } catch (error) {
      this.#options.log.warn({ error }, 'upload claims could not be renewed')
      for (const each of moving) if (this.#endsSoon(each)) each.stop.abort(error)
    }
    return false
  }

  /** Half a lease of margin: whoever takes over must find us stopped. */
  #endsSoon({ leaseUntilMs }: Moving): boolean {
    return performance.now() > leaseUntilMs - this.#leaseMs / 2
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(READ_BYTES) })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

/** The spool copy is gone: no later attempt can find it. */
const isLost = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What a user may read: our own words, never a path or an address of our insides. */
function reasonOf(error: unknown): string {
  if (isLost(error)) return 'the received copy was lost'
  return error instanceof LipikError ? error.message : 'the upload to storage failed'
}
