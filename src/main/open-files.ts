import { join } from 'node:path'
import { probeAudio } from '../audio/probe.ts'
import { createRemoveJobsOf } from '../batches/remove-jobs.ts'
import { FilesService } from '../files/files-service.ts'
import { systemClock } from '../platform/clock.ts'
import type { Ground } from './open-ground.ts'

/** Receives files and moves them to storage, until the service closes. */
export async function openFiles({ config, log, metrics, database, blobs, closing }: Ground): Promise<FilesService> {
  const files = await FilesService.open({
    db: database.db,
    blobs,
    log,
    metrics,
    clock: systemClock,
    probe: probeAudio,
    removeJobsOf: createRemoveJobsOf({ keepObjects: config.SAVE_AUDIO_DATA }),
    spool: {
      folder: config.SPOOL_DIR ?? join(config.DATA_DIR, 'spool'),
      minFreeBytes: config.SPOOL_MIN_FREE_BYTES,
    },
    limits: {
      maxFileBytes: config.MAX_FILE_BYTES,
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      maxUploadFiles: config.MAX_UPLOAD_FILES,
    },
    retentionDays: config.RETENTION_DAYS,
    upload: {
      concurrency: config.UPLOAD_CONCURRENCY,
      maxAttempts: config.UPLOAD_MAX_ATTEMPTS,
      retrySeconds: config.UPLOAD_RETRY_INTERVALS,
    },
  })
  closing.add('files', () => files.close())
  files.start()
  return files
}
