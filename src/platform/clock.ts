/** Time as an argument, so that a test can move it. */
export interface Clock {
  now(): Date
  /** Milliseconds that never run backwards, for measuring how long something took. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
