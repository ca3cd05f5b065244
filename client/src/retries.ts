import { LipikApiError, LipikConnectionError } from './failures.ts'

export type RetryOptions = {
  readonly maxRetries: number
  readonly signal?: AbortSignal | undefined
  /** Told before each new try; for logs and progress bars. */
  readonly onRetry?: ((error: Error, waitMs: number) => void) | undefined
}

/** The service, or a proxy before it, cannot answer now. */
const PASSING = new Set([429, 502, 503, 504])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** A quota that opens again tomorrow is better told than waited for. */
const LONGEST_ASKED_WAIT_MS = 120_000

/** Repeats what failed for a reason that may pass. Everything it is used for is safe to repeat. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Error) || options.signal?.aborted || tries >= options.maxRetries) throw error
      const waitMs = waitBefore(error, tries)
      if (waitMs === undefined) throw error
      options.onRetry?.(error, waitMs)
      await pause(waitMs, options.signal)
    }
  }
}

/** Undefined: trying again cannot help. Half of a growing wait is left to chance, so that clients do not march in step. */
export function waitBefore(error: Error, tries: number, chance: () => number = Math.random): number | undefined {
  const growing = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries)
  const wait = growing / 2 + (growing / 2) * chance()
  if (error instanceof LipikConnectionError) return wait
  if (!(error instanceof LipikApiError) || !PASSING.has(error.status)) return undefined
  const asked = (error.retryAfterSeconds ?? 0) * 1000
  return asked > LONGEST_ASKED_WAIT_MS ? undefined : Math.max(asked, wait)
}

/** Rejects at once when `signal` says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
