import type { Kysely } from 'kysely'
import type { AudioProbe } from '../audio/probe.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/schema.ts'
import type { UserId } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { BackgroundUpload } from './background-upload.ts'
import { type Deletions, deleteDue, deleteScheduled } from './deferred-deletion.ts'
import { type DeleteResult, deleteFiles, type RemoveJobsOf } from './delete-files.ts'
import { expireFiles } from './expire-files.ts'
import { keepHouse } from './keep-house.ts'
import { type FilesPage, type ListQuery, listFiles } from './list-files.ts'
import { findAudio, type StoredAudio } from './read-audio.ts'
import { receiveUpload, type UploadLimits, type UploadRequest } from './receive-upload.ts'
import { RecurringWork } from './recurring-work.ts'
import { Spool, type SpoolOptions } from './spool.ts'
import { type UploadProgress, uploadStatus } from './upload-status.ts'

export type FilesOptions = {
  readonly db: Kysely<Database>
  readonly blobs: BlobStore
  readonly log: Logger
  readonly clock: Clock
  readonly metrics: Metrics
  readonly probe: (path: string) => Promise<AudioProbe>
  readonly removeJobsOf: RemoveJobsOf
  readonly spool: SpoolOptions
  readonly limits: UploadLimits
  /** Files older than this are deleted; undefined: kept until their users delete them. */
  readonly retentionDays?: number | undefined
  readonly upload: {
    readonly concurrency: number
    readonly maxAttempts: number
    readonly retrySeconds: readonly number[]
    readonly leaseMs?: number
    readonly pollMs?: number
  }
}

const KEEP_HOUSE_MS = 60_000
const DELETE_OBJECTS_MS = 10_000
/** A caller of delete waits this long for storage; what is left then goes on without them. */
const DELETE_PATIENCE_MS = 5_000

/** The whole room behind one door: the things a user can ask for, and the work behind them from start to close. */
export class FilesService {
  readonly #options: FilesOptions
  readonly #spool: Spool
  readonly #uploads: BackgroundUpload
  readonly #deletions: RecurringWork
  readonly #house: RecurringWork
  readonly #deleting = new Set<Promise<unknown>>()

  static async open(options: FilesOptions): Promise<FilesService> {
    return new FilesService(options, await Spool.open(options.spool))
  }

  private constructor(options: FilesOptions, spool: Spool) {
    const { log } = options
    this.#options = options
    this.#spool = spool
    this.#uploads = new BackgroundUpload({
      ...options,
      ...options.upload,
      spool,
      onGaveUp: () => this.#deletions.wake(),
    })
    this.#deletions = new RecurringWork({
      name: 'delete objects',
      everyMs: DELETE_OBJECTS_MS,
      log,
      work: async (signal) => (await deleteDue(options, signal)) > 0,
    })
    this.#house = new RecurringWork({
      name: 'keep house',
      everyMs: KEEP_HOUSE_MS,
      log,
      work: async () => {
        await keepHouse({ ...options, spool })
        return this.#expire()
      },
    })
  }

  start(): void {
    for (const work of [this.#uploads, this.#deletions, this.#house]) work.start()
  }

  /** Uploads under way are given back to be resumed; the spool keeps what storage has not. */
  async close(): Promise<void> {
    await Promise.all([this.#uploads.close(), this.#deletions.close(), this.#house.close(), ...this.#deleting])
  }

  async receive(request: UploadRequest) {
    const { metrics } = this.#options
    try {
      const deps = { ...this.#options, spool: this.#spool, onAccepted: () => this.#uploads.wake() }
      const accepted = await receiveUpload(deps, request)
      metrics.uploadRequests.inc({ outcome: 'accepted' })
      metrics.uploadedBytes.inc(accepted.answer.files.reduce((sum, { size_bytes }) => sum + size_bytes, 0))
      return accepted
    } catch (error) {
      metrics.uploadRequests.inc({ outcome: request.signal.aborted ? 'broken_off' : 'refused' })
      throw error
    }
  }

  status(user: UserId, upload: string): Promise<UploadProgress> {
    return uploadStatus(this.#options.db, user, upload)
  }

  list(user: UserId, query: ListQuery): Promise<FilesPage> {
    return listFiles(this.#options.db, user, query)
  }

  audio(user: UserId, id: string): Promise<StoredAudio> {
    return findAudio(this.#options, user, id)
  }

  delete(user: UserId, ids: readonly string[]): Promise<DeleteResult> {
    const deleteObjects = (keys: readonly string[]) => this.#deleteObjects(keys)
    return deleteFiles({ ...this.#options, spool: this.#spool, deleteObjects }, user, ids)
  }

  async #expire(): Promise<boolean> {
    const { db, retentionDays } = this.#options
    if (retentionDays === undefined) return false
    return expireFiles(db, retentionDays, (user, ids) => this.delete(user, ids))
  }

  /** Goes on in the background when storage takes too long to wait for. */
  async #deleteObjects(keys: readonly string[]): Promise<number> {
    const patience = new AbortController()
    const work = deleteScheduled(this.#options, keys, patience.signal)
    this.#deleting.add(work)
    void work.finally(() => this.#deleting.delete(work))
    const timer = setTimeout(() => patience.abort(), DELETE_PATIENCE_MS)
    const tired = new Promise<Deletions>((resolve) => {
      patience.signal.onabort = () => resolve({ existed: 0, left: keys.length })
    })
    const { existed, left } = await Promise.race([work, tired])
    clearTimeout(timer)
    return existed + left
  }
}
