import { Deferred } from './deferred.ts'

/** So long a step of other work waits at most: with somebody always speaking it goes slowly, but it ends. */
const LONGEST_WAIT_MS = 1_000

/** The live requests an engine process is answering; other work gives way to them. */
export class LiveRequests {
  #count = 0
  #over = new Deferred<void>()

  begin(): void {
    if (this.#count++ === 0) this.#over = new Deferred<void>()
  }

  end(): void {
    if (--this.#count === 0) this.#over.resolve()
  }

  /** Resolves when none is being answered, or after a while. */
  async giveWay(longestMs = LONGEST_WAIT_MS): Promise<void> {
    const untilMs = performance.now() + longestMs
    for (let leftMs = longestMs; this.#count > 0 && leftMs > 0; leftMs = untilMs - performance.now()) {
      const late = new Deferred<void>()
      const timer = setTimeout(late.resolve, leftMs)
      await Promise.race([this.#over.promise, late.promise])
      clearTimeout(timer)
    }
  }
}
