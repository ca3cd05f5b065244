import type { ChildEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import type { Sleeper } from '../../speech/ports.ts'
import { Deferred } from './deferred.ts'
import { EngineProcess } from './engine-process.ts'

export type EngineLimits = {
  /** From the moment the engine gets the request; the wait in the queue does not count. */
  readonly requestTimeoutMs: number
  readonly loadTimeoutMs: number
  /** Requests of each lane waiting beyond those in flight; the next one is refused with `engine_busy`. */
  readonly maxQueue: number
  /** Requests of each lane inside the process at once. */
  readonly concurrency: number
  /** Without work for so long the process goes and gives its memory back. */
  readonly idleMs: number
  /** Above this the process is replaced between two requests; above twice this it ends itself at once. */
  readonly maxRssBytes: number
  readonly healthIntervalMs: number
  readonly firstBackoffMs: number
  readonly maxBackoffMs: number
}

const DEFAULT_LIMITS: EngineLimits = {
  requestTimeoutMs: 120_000,
  loadTimeoutMs: 60_000,
  maxQueue: 64,
  concurrency: 1,
  idleMs: 300_000,
  maxRssBytes: 2_000_000_000,
  healthIntervalMs: 30_000,
  firstBackoffMs: 100,
  maxBackoffMs: 10_000,
}

const PING_TIMEOUT_MS = 5_000
/** A process that ends while loading is tried again so often before those who wait are told. */
const LOAD_ATTEMPTS = 2

export type EngineHostOptions = {
  readonly name: string
  readonly entry: ChildEntry
  /** Plain data, handed to the engine's `load`. */
  readonly settings: unknown
  readonly limits?: Partial<EngineLimits> | undefined
  readonly env?: Readonly<Record<string, string>>
}

export type EngineStatus = {
  readonly state: 'unloaded' | 'loading' | 'ready' | 'closed'
  readonly pid: number | undefined
  readonly queued: number
  readonly running: number
  readonly rssBytes: number
  /** Processes started so far. */
  readonly starts: number
  readonly lastFailure: string | undefined
}

export interface EngineHost<Request, Answer> extends Sleeper {
  /** Live: somebody waits for the answer now. It has a lane of its own and is asked before everything that waits. */
  request(body: Request, signal?: AbortSignal, isLive?: boolean): Promise<Answer>
  /** Loads the model if need be and hears from the process; rejects with what is wrong. */
  check(): Promise<void>
  status(): EngineStatus
  close(): Promise<void>
}

/** A model in a process of its own. A crash or a hang there fails the request that met it, as transient, and nothing else. */
export function createEngineHost<Request, Answer>(options: EngineHostOptions): EngineHost<Request, Answer> {
  return new SupervisedEngine<Request, Answer>(options)
}

class Job {
  readonly body: unknown
  readonly signal: AbortSignal | undefined
  readonly isLive: boolean
  readonly answer = new Deferred<unknown>()
  /** Was in flight beside others when a process died: it runs alone now, so that the guilty one shows itself. */
  isSuspect = false

  constructor(body: unknown, signal: AbortSignal | undefined, isLive: boolean) {
    this.body = body
    this.signal = signal
    this.isLive = isLive
  }
}

/**
 * unloaded → loading → ready → unloaded. Work or a keeper starts a process; idleness without a keeper, a fat process or a
 * death ends it. A death while loading or running makes the next start wait, twice as long each time, until a request has
 * succeeded; until then only work starts one.
 */
class SupervisedEngine<Request, Answer> implements EngineHost<Request, Answer> {
  readonly #options: EngineHostOptions
  readonly #limits: EngineLimits
  readonly #queue: Job[] = []
  readonly #running = new Set<Job>()
  #process: EngineProcess | undefined
  #starting: Promise<EngineProcess> | undefined
  /** Two copies of a model never live side by side: the old one is gone before the next is started. */
  #leaving: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #restSinceMs = Date.now()
  #keepers = 0
  #deaths = 0
  #failedLoads = 0
  #starts = 0
  #isClosed = false
  #lastFailure: string | undefined
  #backoff: { readonly timer: NodeJS.Timeout; readonly over: Deferred<void> } | undefined

  constructor(options: EngineHostOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
  }

  async request(body: Request, signal?: AbortSignal, isLive = false): Promise<Answer> {
    if (this.#isClosed) throw new LipikError('unavailable', `${this.#options.name} is closed`)
    if (signal?.aborted) throw cancelled(this.#options.name)
    const waiting = this.#queue.filter((each) => each.isLive === isLive).length
    if (waiting >= this.#limits.maxQueue) {
      throw new LipikError('engine_busy', `${this.#options.name} has ${waiting} requests waiting`)
    }
    const job = new Job(body, signal, isLive)
    const giveUp = () => this.#abandon(job)
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#queue.splice(isLive ? this.#queue.filter((each) => each.isLive).length : this.#queue.length, 0, job)
    this.#pump()
    // The engine process answers with what its own adapter declares as Answer.
    return (job.answer.promise as Promise<Answer>).finally(() => signal?.removeEventListener('abort', giveUp))
  }

  keep(): ReturnType<Sleeper['keep']> {
    this.#keepers++
    this.#pump()
    const over = () => undefined
    const ready = this.#starting?.then(over, over) ?? Promise.resolve()
    let isKept = true
    const release = () => {
      if (!isKept) return
      isKept = false
      this.#keepers--
      // Idleness counts from here.
      if (this.#isAtRest()) this.#pump()
    }
    return { ready, release }
  }

  async check(): Promise<void> {
    if (this.#isClosed) throw new LipikError('unavailable', `${this.#options.name} is closed`)
    // A process at work inside its time limit is healthy, though it cannot answer a ping.
    if (this.#running.size > 0) return
    const process = this.#process ?? (await this.#start().finally(() => this.#pump()))
    await this.#ping(process)
    this.#pump()
  }

  status(): EngineStatus {
    const process = this.#process
    const loaded = process?.isAlive ? 'ready' : 'unloaded'
    return {
      state: this.#isClosed ? 'closed' : this.#starting ? 'loading' : loaded,
      pid: process?.pid,
      queued: this.#queue.length,
      running: this.#running.size,
      rssBytes: process?.rssBytes ?? 0,
      starts: this.#starts,
      lastFailure: this.#lastFailure,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#backoff?.timer)
    this.#backoff?.over.resolve()
    const error = new LipikError('unavailable', `${this.#options.name} is closing`)
    this.#refuseQueue(error)
    for (const job of this.#running) job.answer.reject(error)
    await this.#starting?.catch(() => undefined)
    await this.#process?.stop()
    await this.#leaving
  }

  #abandon(job: Job): void {
    const waiting = this.#queue.indexOf(job)
    if (waiting >= 0) this.#queue.splice(waiting, 1)
    job.answer.reject(cancelled(this.#options.name))
  }

  #pump(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const process = this.#process
    if (process && !process.isAlive) this.#process = undefined
    if (process && this.#isOvergrown(process)) {
      if (this.#running.size === 0) this.#unload()
      else return
    }
    if (this.#queue.length === 0) this.#rest()
    else if (!this.#process) this.#startForQueue()
    else while (this.#mayRun()) void this.#run(this.#process, this.#queue.shift())
  }

  #mayRun(): boolean {
    const next = this.#queue[0]
    if (!next) return false
    const running = [...this.#running]
    if (next.isSuspect || running.some((job) => job.isSuspect)) return running.length === 0
    return running.filter((job) => job.isLive === next.isLive).length < this.#limits.concurrency
  }

  #isOvergrown(process: EngineProcess): boolean {
    return process.rssBytes > this.#limits.maxRssBytes
  }

  #startForQueue(): void {
    if (this.#starting) return
    this.#start().then(
      () => this.#pump(),
      (error: Error) => {
        const isHopeless = error instanceof LipikError && error.code === 'model_unavailable'
        if (isHopeless || ++this.#failedLoads >= LOAD_ATTEMPTS) this.#refuseQueue(error)
        this.#pump()
      },
    )
  }

  #startForKeepers(): void {
    if (this.#keepers === 0 || this.#deaths > 0 || this.#starting) return
    // A failure shows itself to the next request, which tries again; one may have come meanwhile.
    const goOn = () => this.#pump()
    this.#start().then(goOn, goOn)
  }

  #refuseQueue(error: Error): void {
    this.#failedLoads = 0
    for (const job of this.#queue.splice(0)) job.answer.reject(error)
  }

  async #start(): Promise<EngineProcess> {
    this.#starting ??= this.#spawn().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #spawn(): Promise<EngineProcess> {
    await this.#waitOutBackoff()
    await this.#leaving
    if (this.#isClosed) throw new LipikError('unavailable', `${this.#options.name} is closed`)
    const { name, entry, settings, env } = this.#options
    const { loadTimeoutMs, maxRssBytes } = this.#limits
    this.#starts++
    const process = new EngineProcess({
      name,
      entry,
      settings,
      loadTimeoutMs,
      hardRssBytes: 2 * maxRssBytes,
      ...(env && { env }),
    })
    try {
      await process.load()
    } catch (error) {
      this.#noteDeath(error)
      throw error
    }
    this.#failedLoads = 0
    this.#process = process
    return process
  }

  async #waitOutBackoff(): Promise<void> {
    if (this.#deaths === 0) return
    const { firstBackoffMs, maxBackoffMs } = this.#limits
    const over = new Deferred<void>()
    const timer = setTimeout(over.resolve, Math.min(maxBackoffMs, firstBackoffMs * 2 ** (this.#deaths - 1)))
    this.#backoff = { timer, over }
    await over.promise
    this.#backoff = undefined
  }

  async #run(process: EngineProcess, job: Job | undefined): Promise<void> {
    if (!job) return
    this.#running.add(job)
    const { requestTimeoutMs } = this.#limits
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      process.kill(new LipikError('engine_timeout', `${this.#options.name} gave no answer in ${requestTimeoutMs} ms`))
    }, requestTimeoutMs)
    try {
      job.answer.resolve(await process.request(job))
      this.#deaths = 0
    } catch (error) {
      this.#settleFailure(process, job, error as Error, isLate)
    } finally {
      clearTimeout(timer)
      this.#running.delete(job)
      this.#pump()
    }
  }

  /** The promise of `EngineProcess.request` rejects with a LipikError and nothing else. */
  #settleFailure(process: EngineProcess, job: Job, error: Error, isLate: boolean): void {
    if (!process.isAlive && this.#process === process) {
      this.#process = undefined
      this.#noteDeath(error)
    }
    if (process.isAlive || isLate || process.lostAtEnd <= 1 || this.#isClosed) {
      job.answer.reject(error)
    } else {
      job.isSuspect = true
      this.#queue.unshift(job)
    }
  }

  #noteDeath(error: unknown): void {
    this.#deaths++
    this.#lastFailure = error instanceof Error ? error.message : String(error)
  }

  #unload(): void {
    const process = this.#process
    this.#process = undefined
    this.#leaving = process?.stop()
  }

  /** At rest the process is asked for a sign of life from time to time, and ended when it has rested long enough. */
  #rest(): void {
    if (!this.#process) this.#startForKeepers()
    if (!this.#process || this.#running.size > 0) return
    this.#restSinceMs = Date.now()
    this.#watchRest()
  }

  #watchRest(): void {
    const { idleMs, healthIntervalMs } = this.#limits
    const leftMs = this.#keepers > 0 ? idleMs : this.#restSinceMs + idleMs - Date.now()
    if (leftMs <= 0) this.#unload()
    else this.#timer = setTimeout(() => void this.#checkRest(), Math.min(leftMs, healthIntervalMs)).unref()
  }

  async #checkRest(): Promise<void> {
    try {
      if (this.#process) await this.#ping(this.#process)
      if (this.#isAtRest()) this.#watchRest()
    } catch {
      this.#pump()
    }
  }

  #isAtRest(): boolean {
    return !this.#isClosed && this.#running.size === 0 && this.#queue.length === 0
  }

  async #ping(process: EngineProcess): Promise<void> {
    const { name } = this.#options
    const silent = () => {
      // Work that arrived meanwhile keeps it busy, and has its own time limit.
      if (this.#running.size === 0) process.kill(new LipikError('engine_timeout', `${name} does not answer`))
    }
    const timer = setTimeout(silent, PING_TIMEOUT_MS)
    try {
      await process.ping()
    } finally {
      clearTimeout(timer)
    }
  }
}

const cancelled = (name: string): LipikError => new LipikError('cancelled', `${name}: request cancelled`)
