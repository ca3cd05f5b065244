/** So many of something in any window of time. */
export class Allowance {
  readonly limit: number
  readonly #windowMs: number
  readonly #now: () => number
  #taken: number[] = []

  constructor(limit: number, windowMs: number, now: () => number) {
    this.limit = limit
    this.#windowMs = windowMs
    this.#now = now
  }

  take(): boolean {
    if (this.remaining === 0) return false
    this.#taken.push(this.#now())
    return true
  }

  get remaining(): number {
    const since = this.#now() - this.#windowMs
    while (this.#taken[0] !== undefined && this.#taken[0] <= since) this.#taken.shift()
    return Math.max(0, this.limit - this.#taken.length)
  }

  /** Until at least one more may be taken than now. */
  get resetSeconds(): number {
    const [oldest] = this.#taken
    return oldest === undefined ? 0 : Math.max(0, (oldest + this.#windowMs - this.#now()) / 1_000)
  }

  get isUnused(): boolean {
    return this.remaining === this.limit
  }
}
