import type { Pool } from 'pg'
import { QUEUES } from '../batches/queues.ts'
import { type ChunkJobDeps, createChunkJobs } from './chunk-jobs.ts'
import { jobTask, startWorker, type Worker, type WorkerTimes } from './worker.ts'

export type ChunkWorkerDeps = Omit<ChunkJobDeps, 'speedometer'> & {
  readonly pool: Pool
  /** Batches at a time; each holds up to `batchSize` chunks. */
  readonly concurrency: number
  readonly times?: WorkerTimes
}

/** Recognises chunks. */
export function startChunkWorker(deps: ChunkWorkerDeps): Worker {
  return startWorker({
    ...deps,
    mode: 'chunk',
    slots: deps.concurrency * deps.batchSize,
    tasks({ stopped, speedometer }) {
      const run = createChunkJobs({ ...deps, speedometer }, stopped)
      const chunk = jobTask((jobId, workerId) => run(jobId, workerId, stopped))
      return { [QUEUES.chunk]: chunk, [QUEUES.chunkRetry]: chunk }
    },
  })
}
