import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'

export type RecurringOptions = {
  readonly name: string
  readonly everyMs: number
  readonly log: Logger
  /** Returns whether there may be more to do right away. */
  work(signal: AbortSignal): Promise<boolean>
}

/** Does work every so often, and at once when woken; never twice at a time. A failure is logged and tried again later. */
export class RecurringWork {
  readonly #options: RecurringOptions
  readonly #closed = new AbortController()
  #wake = new AbortController()
  #running: Promise<void> | undefined
  #round: PromiseWithEnd = newRound()

  constructor(options: RecurringOptions) {
    this.#options = options
  }

  start(): void {
    this.#running ??= this.#run()
  }

  wake(): void {
    this.#wake.abort()
  }

  /** Resolves when a round that began after this call has ended, or after `patienceMs`. */
  async soon(patienceMs: number): Promise<void> {
    this.wake()
    const patience = new AbortController()
    const ended = this.#round.promise
    await Promise.race([ended, delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})])
    patience.abort()
  }

  async close(): Promise<void> {
    this.#closed.abort()
    this.#wake.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { everyMs } = this.#options
    while (!this.#closed.signal.aborted) {
      this.#wake = new AbortController()
      const round = this.#round
      this.#round = newRound()
      const hasMore = await this.#once()
      round.end()
      const signal = AbortSignal.any([this.#wake.signal, this.#closed.signal])
      if (!hasMore) await delay(everyMs, undefined, { signal }).catch(() => {})
    }
    this.#round.end()
  }

  async #once(): Promise<boolean> {
    const { name, log, work } = this.#options
    try {
      return await work(this.#closed.signal)
    } catch (error) {
      if (!this.#closed.signal.aborted) log.error({ error, work: name }, 'recurring work failed')
      return false
    }
  }
}

type PromiseWithEnd = { readonly promise: Promise<void>; end(): void }

function newRound(): PromiseWithEnd {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { promise, end }
}
