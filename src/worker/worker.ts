import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { recoverJobs } from '../batches/recover-jobs.ts'
import type { RetrySettings } from '../batches/retry-policy.ts'
import { RecurringWork } from '../files/recurring-work.ts'
import type { Database } from '../platform/database/schema.ts'
import type { Logger } from '../platform/log.ts'
import { type QueueTask, runQueue } from '../platform/queue/run-queue.ts'
import { createStop } from './create-stop.ts'
import { beat, signOff, type WorkerMode } from './heartbeat.ts'
import { createSpeedometer, type Speedometer } from './speedometer.ts'

export type WorkerTimes = {
  readonly beatMs: number
  readonly sweepMs: number
  /** A worker not heard of for this long is dead. */
  readonly silentSeconds: number
}

/** Five missed beats, then a sweep: a dead worker's jobs are back well within a minute. */
export const WORKER_TIMES: WorkerTimes = { beatMs: 5_000, sweepMs: 10_000, silentSeconds: 25 }

export type WorkerOptions = {
  readonly db: Kysely<Database>
  readonly pool: Pool
  readonly log: Logger
  readonly mode: WorkerMode
  readonly slots: number
  readonly retries: RetrySettings
  readonly keepObjects: boolean
  readonly times?: WorkerTimes
  tasks(worker: WorkerHands): Readonly<Record<string, QueueTask>>
}

/** What a worker lends its tasks. */
export type WorkerHands = { readonly stopped: AbortSignal; readonly speedometer: Speedometer }

export type Worker = {
  /** Gives unfinished work back at once and leaves. */
  close(): Promise<void>
}

/** Takes jobs of its mode, shows that it lives, and looks after those who no longer do. */
export function startWorker(options: WorkerOptions): Worker {
  const { db, pool, log, mode, slots, times = WORKER_TIMES } = options
  const stopping = createStop(slots)
  const speedometer = createSpeedometer()
  let id: string | undefined
  const beatNow = (worker: string) => beat(db, { id: worker, mode, slots, speed: speedometer.read() })
  const heartbeat = recurring('heartbeat', times.beatMs, log, async () => {
    if (id !== undefined) await beatNow(id)
  })
  const sweep = recurring('sweep', times.sweepMs, log, async () => {
    const recovered = await recoverJobs(
      db,
      { ...options.retries, keepObjects: options.keepObjects },
      times.silentSeconds,
    )
    if (recovered.workers + recovered.requeued + recovered.failed > 0) log.warn(recovered, 'recovered lost jobs')
  })
  const runner = runQueue({
    pool,
    log,
    concurrency: slots,
    tasks: options.tasks({ stopped: stopping.signal, speedometer }),
    async onStart(worker) {
      await beatNow(worker)
      id = worker
    },
    async onEnd(worker) {
      id = undefined
      await signOff(db, worker)
    },
  })
  heartbeat.start()
  sweep.start()
  return {
    async close() {
      stopping.abort()
      await Promise.all([runner.stop(), sweep.close()])
      await heartbeat.close()
    },
  }
}

const recurring = (name: string, everyMs: number, log: Logger, work: () => Promise<void>): RecurringWork =>
  new RecurringWork({ name, everyMs, log, work: () => work().then(() => false) })

const JobPayload = z.object({ jobId: z.string() })

/** A queue task that is about one of our jobs. */
export const jobTask =
  (run: (jobId: string, workerId: string) => Promise<void>): QueueTask =>
  async (payload, workerId) =>
    run(JobPayload.parse(payload).jobId, workerId)
