import { type BatchesService, createBatches } from '../batches/batches-service.ts'
import type { SubmitSettings } from '../batches/submit-batch.ts'
import { WORKER_TIMES } from '../worker/worker.ts'
import type { Config } from './config.ts'
import type { Ground } from './open-ground.ts'

export const openBatches = ({ config, database, blobs }: Ground): BatchesService =>
  createBatches({
    db: database.db,
    blobs,
    development: config.APP_ENV === 'development',
    keepObjects: config.SAVE_AUDIO_DATA,
    submit: submitOf(config),
  })

export const submitOf = (config: Config): SubmitSettings => ({
  maxBatchFiles: config.MAX_BATCH_FILES,
  maxQueueDepth: config.MAX_QUEUE_DEPTH,
  silentSeconds: WORKER_TIMES.silentSeconds,
  ...quotaOf(config),
})

const quotaOf = (config: Config) =>
  config.QUOTA_ENABLED
    ? {
        quota: {
          audioSecondsPerDay: config.QUOTA_AUDIO_SECONDS_PER_DAY,
          filesPerDay: config.QUOTA_FILES_PER_DAY,
        },
      }
    : {}
