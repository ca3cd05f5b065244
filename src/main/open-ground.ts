import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { joinDatabase, type StartedDatabase, startDatabase } from '../platform/database/start-database.ts'
import type { Logger } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { openBlobStore, type StorageSettings } from '../platform/storage/open-blob-store.ts'
import type { Closing } from './closing.ts'
import type { Config } from './config.ts'

/** What every long-running command stands on. */
export type Ground = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  readonly metrics: Metrics
  readonly database: StartedDatabase
  readonly blobs: BlobStore
}

export type GroundOptions = Pick<Ground, 'config' | 'log' | 'closing'> & {
  /** The service owns the embedded database; a worker on the same machine is a guest of the one that runs. */
  readonly ownsDatabase: boolean
  /** The database is gone for good: the process must end. */
  readonly onFatal: (error: unknown) => void
}

export async function openGround({ ownsDatabase, onFatal, ...rest }: GroundOptions): Promise<Ground> {
  const { config, log, closing } = rest
  await mkdir(config.DATA_DIR, { recursive: true })
  const metrics = createMetrics()
  const database = await (ownsDatabase ? startDatabase : joinDatabase)({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log,
    maxConnections: config.DATABASE_MAX_CONNECTIONS,
    onRestart: () => metrics.databaseRestarts.inc(),
    onGiveUp: onFatal,
  })
  closing.add('database', database.close)
  const blobs = await openBlobStore(storageOf(config))
  closing.add('storage', () => blobs.close())
  return { ...rest, metrics, database, blobs }
}

export const storageOf = (config: Config): StorageSettings => ({
  url: config.STORAGE_URL ?? `file:${join(config.DATA_DIR, 'objects')}`,
  s3: {
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    pathStyle: config.S3_PATH_STYLE,
    credentials:
      config.S3_ACCESS_KEY_ID !== undefined && config.S3_SECRET_ACCESS_KEY !== undefined
        ? { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY }
        : undefined,
  },
  gcs: { endpoint: config.GCS_ENDPOINT, projectId: config.GCS_PROJECT_ID },
})
