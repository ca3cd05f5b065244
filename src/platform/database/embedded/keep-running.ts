import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresProcess } from './postgres-process.ts'

export type KeepRunningOptions = {
  readonly first: PostgresProcess
  readonly start: () => Promise<PostgresProcess>
  readonly onDeath: (lastWords: string) => void
  /** The server does not stay up; nothing starts it again after this. */
  readonly onGiveUp: (cause: unknown) => void
}

const MAX_DEATHS_A_MINUTE = 5
const PAUSE_AFTER_FAILED_START_MS = 500

/** Starts the server again whenever it ends, until `stop`. A server that dies over and over is not mended that way. */
export class KeepRunning {
  readonly #options: KeepRunningOptions
  readonly #deaths: number[] = []
  readonly #watching: Promise<void>
  #current: PostgresProcess
  #stopping = false

  constructor(options: KeepRunningOptions) {
    this.#options = options
    this.#current = options.first
    this.#watching = this.#watch().catch((error) => {
      if (!this.#stopping) options.onGiveUp(error)
    })
  }

  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true
    await this.#current.stop(patienceMs)
    await this.#watching
    // The watcher may have been in the middle of a start, and ended it with a server that nobody has stopped yet.
    await this.#current.stop(patienceMs)
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      const lastWords = await this.#current.ended
      if (this.#stopping) return
      this.#options.onDeath(lastWords)
      await this.#startAgain(new Error(`PostgreSQL keeps dying: ${lastWords}`))
    }
  }

  async #startAgain(reason: unknown): Promise<void> {
    this.#refuseEndlessDying(reason)
    try {
      this.#current = await this.#options.start()
    } catch (error) {
      if (this.#stopping) return
      await delay(PAUSE_AFTER_FAILED_START_MS)
      await this.#startAgain(error)
    }
  }

  #refuseEndlessDying(reason: unknown): void {
    const now = performance.now()
    this.#deaths.push(now)
    if (this.#deaths.filter((at) => at > now - 60_000).length > MAX_DEATHS_A_MINUTE) throw reason
  }
}
