/** Calls once, some time after it was last started. */
export class IdleTimer {
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle
  }

  start(afterMs: number): void {
    this.stop()
    this.#timer = setTimeout(this.#onIdle, afterMs)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
