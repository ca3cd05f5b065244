import type { Pool } from 'pg'
import { z } from 'zod'
import { deleteObjects } from '../batches/forget-objects.ts'
import { QUEUES } from '../batches/queues.ts'
import { type FileJobDeps, runFileJob } from './file-jobs.ts'
import type { AddressRule } from './guarded-request.ts'
import { deliverWebhook, WebhookJob } from './webhook.ts'
import { jobTask, startWorker, type Worker, type WorkerTimes } from './worker.ts'

export type FileWorkerDeps = FileJobDeps & {
  readonly pool: Pool
  readonly concurrency: number
  readonly times?: WorkerTimes
  /** Where webhooks may go. */
  readonly webhooks: AddressRule
}

const FileJobRef = z.object({ userId: z.string(), batchId: z.string(), fileJobId: z.string() })

/** Cuts and merges files, and does the chores of batches. */
export function startFileWorker(deps: FileWorkerDeps): Worker {
  return startWorker({
    ...deps,
    mode: 'file',
    slots: deps.concurrency,
    tasks({ stopped }) {
      const file = jobTask((jobId, workerId) => runFileJob(deps, jobId, workerId, stopped))
      return {
        [QUEUES.file]: file,
        [QUEUES.fileRetry]: file,
        [QUEUES.webhook]: (payload) => deliverWebhook(deps, WebhookJob.parse(payload), stopped),
        [QUEUES.deleteObjects]: (payload) => deleteObjects(deps.db, deps.blobs, FileJobRef.parse(payload)),
      }
    },
  })
}
