import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '../platform/database/database.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Logger } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import { openBlobStore } from '../platform/storage/open-blob-store.ts'
import type { Closing } from './closing.ts'
import type { Config } from './config.ts'

/** What every long-running command stands on. */
export type Ground = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  readonly metrics: Metrics
  readonly databaseUrl: string
  readonly database: OpenDatabase
  readonly blobs: BlobStore
}

export type GroundOptions = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  /** The service owns the embedded database; a worker on the same machine uses the one that runs. */
  readonly ownsDatabase: boolean
  /** The database is gone for good: the process must end. */
  readonly onFatal: (error: unknown) => void
}

export async function openGround({ ownsDatabase, onFatal, ...rest }: GroundOptions): Promise<Ground> {
  const { config, log, closing } = rest
  await mkdir(config.DATA_DIR, { recursive: true })
  const metrics = createMetrics()
  const databaseUrl = ownsDatabase ? await startDatabase(rest, metrics, onFatal) : await findDatabase(config)
  await migrate({ url: databaseUrl, log })
  const database = openDatabase({ url: databaseUrl, log, maxConnections: config.DATABASE_MAX_CONNECTIONS })
  closing.add('database connections', database.close)
  const blobs = await openBlobStore(storageOf(config))
  closing.add('storage', () => blobs.close())
  return { ...rest, metrics, databaseUrl, database, blobs }
}

type Owned = Pick<Ground, 'config' | 'log' | 'closing'>

async function startDatabase(
  { config, log, closing }: Owned,
  metrics: Metrics,
  onGiveUp: (error: unknown) => void,
): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  const onRestart = () => metrics.databaseRestarts.inc()
  const postgres = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, onRestart, onGiveUp })
  closing.add('PostgreSQL', postgres.stop)
  return postgres.url
}

async function findDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<string> {
  const url = DATABASE_URL ?? (await findRunningPostgres(DATA_DIR))
  if (url !== undefined) return url
  throw new Error(`no database: set DATABASE_URL, or start \`lipik serve\` on ${DATA_DIR} first`)
}

export const storageOf = (config: Config) => ({
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
