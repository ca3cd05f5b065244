import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { probeAudio } from '../../src/audio/probe.ts'
import { createRemoveJobsOf } from '../../src/batches/remove-jobs.ts'
import { type FilesOptions, FilesService } from '../../src/files/files-service.ts'
import { audioRoutes } from '../../src/http/audio-routes.ts'
import { filesRoutes } from '../../src/http/files-routes.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { FORM_TYPE, type FormFile, multipartForm } from './multipart-form.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
import { openTestApp } from './test-app.ts'

const MiB = 1024 * 1024

/** The room of files behind its routes, on a real database and disk; `open` and `close` again are a restart. */
export class FilesHarness {
  readonly database: TestDatabase
  readonly folder: TemporaryFolder
  app!: FastifyInstance
  files!: FilesService
  blobs!: BlobStore

  static async make(): Promise<FilesHarness> {
    return new FilesHarness(await openTestDatabase(), await makeTemporaryFolder())
  }

  private constructor(database: TestDatabase, folder: TemporaryFolder) {
    this.database = database
    this.folder = folder
  }

  get db() {
    return this.database.db
  }

  async open(changes: Partial<FilesOptions> & { readonly isStopped?: boolean } = {}): Promise<void> {
    this.blobs = changes.blobs ?? (await openDiskBlobStore(join(this.folder.path, 'objects')))
    this.files = await FilesService.open({ ...this.#defaults(), blobs: this.blobs, ...changes })
    this.app = await openTestApp({ userRoutes: [filesRoutes(this.files), audioRoutes(this.files)] })
    if (!changes.isStopped) this.files.start()
  }

  #defaults(): Omit<FilesOptions, 'blobs'> {
    return {
      db: this.db,
      log: createLogger({ level: 'silent' }),
      clock: systemClock,
      metrics: createMetrics(),
      probe: probeAudio,
      removeJobsOf: createRemoveJobsOf({ keepObjects: true }),
      spool: { folder: join(this.folder.path, 'spool'), minFreeBytes: 0 },
      limits: { maxFileBytes: 4 * MiB, maxUploadBytes: 16 * MiB, maxUploadFiles: 10 },
      upload: { concurrency: 4, maxAttempts: 3, retrySeconds: [0], leaseMs: 2_000, pollMs: 50 },
    }
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.files.close()
  }

  /** Fails when the counts that triggers keep are not what counting gives. */
  async destroy(): Promise<void> {
    const wrong = await sql`
      select user_id, upload_status, files from file_counts where files <> 0
      except select user_id, upload_status, count(*) from files group by 1, 2`.execute(this.db)
    await this.folder.remove()
    await this.database.close()
    if (wrong.rows.length > 0) throw new Error(`wrong counts: ${JSON.stringify(wrong.rows)}`)
  }

  send(request: InjectOptions, user = 'asha') {
    return this.app.inject({ ...request, headers: { authorization: `Bearer ${user}`, ...request.headers } })
  }

  upload(files: readonly FormFile[], user = 'asha', headers: Record<string, string> = {}) {
    const payload = multipartForm(files)
    return this.send(
      { method: 'POST', url: '/files/upload', payload, headers: { 'content-type': FORM_TYPE, ...headers } },
      user,
    )
  }

  /** Every file under the spool, the id of the folder aside. */
  async spooled(): Promise<string[]> {
    const names = await this.folder.filesUnder('spool')
    return names.filter((name) => name !== 'spool.id')
  }

  async objects(): Promise<string[]> {
    const keys: string[] = []
    for await (const key of this.blobs.list('')) keys.push(key)
    return keys
  }

  async rows(): Promise<number> {
    const { count } = await this.db
      .selectFrom('files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }
}
