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

  constructor(options: RecurringOptions) {
    this.#options = options
  }

  start(): void {
    this.#running ??= this.#run()
  }

  wake(): void {
    this.#wake.abort()
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
      const hasMore = await this.#once()
      // A close after this look aborts the very signal that is waited on.
      if (hasMore || this.#closed.signal.aborted) continue
      await delay(everyMs, undefined, { signal: this.#wake.signal }).catch(() => {})
    }
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
