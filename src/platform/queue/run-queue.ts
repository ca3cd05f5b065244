import { setTimeout as delay } from 'node:timers/promises'
import { Logger as QueueLogger, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from '../log.ts'

export type QueueTask = (payload: unknown, runner: RunnerId) => Promise<void>
/** Under this name the queue locks jobs; who dies is unlocked by it. A new one after every restart of the runner. */
export type RunnerId = string

export type QueueRunnerOptions = {
  readonly pool: Pool
  readonly tasks: Readonly<Record<string, QueueTask>>
  readonly concurrency: number
  readonly log: Logger
  /** Told of each runner before it takes its first job, and when one has ended with nothing running in it any more. */
  onStart(id: RunnerId): Promise<void>
  onEnd(id: RunnerId): Promise<void>
}

export type QueueRunner = { stop(): Promise<void> }

/** How soon a job is seen whose due time came without anybody announcing it: retries, above all. */
const POLL_MS = 1000
const RESTART_MS = 1000
const WRITE_MS = 2

/**
 * Takes jobs until stopped. The library ends its runner for good when it cannot write to the database; here the next one is
 * started, so that a database that went away and came back finds its workers again.
 */
export function runQueue(options: QueueRunnerOptions): QueueRunner {
  const stopping = new AbortController()
  const running = keepRunning(options, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function keepRunning(options: QueueRunnerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await runOnce(options, signal)
    } catch (error) {
      options.log.warn({ error }, 'queue runner ended, starting another')
    }
    if (!signal.aborted) await delay(RESTART_MS, undefined, { signal }).catch(() => {})
  }
}

async function runOnce(options: QueueRunnerOptions, signal: AbortSignal): Promise<void> {
  let begin: (id: RunnerId) => void = () => {}
  const runner = startRunner(options, new Promise((resolve) => (begin = resolve)))
  const stop = () => void Promise.resolve(runner.gracefulShutdown()).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    await options.onStart(runner.id)
    if (signal.aborted) stop()
  } catch (error) {
    stop()
    throw error
  } finally {
    // Also after a failed start: a job that was taken meanwhile must be let go of.
    begin(runner.id)
    await Promise.resolve(runner.promise).finally(() => signal.removeEventListener('abort', stop))
    await options.onEnd(runner.id)
  }
}

function startRunner({ pool, tasks, concurrency, log }: QueueRunnerOptions, started: Promise<RunnerId>): WorkerPool {
  const list: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, async (payload) => task(payload, await started)]),
  )
  const logger = new QueueLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ queue: message }, 'queue')
  })
  // Ends of jobs are written a few at a time. Without this the library leaves a failed write as a rejection nobody handles,
  // and a database that restarts would end the process.
  const preset = { worker: { completeJobBatchDelay: WRITE_MS, failJobBatchDelay: WRITE_MS } }
  const options = { preset, concurrency, noHandleSignals: true, pollInterval: POLL_MS, logger }
  return runTaskList(options, list, pool)
}
