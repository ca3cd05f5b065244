/**
 * Every failure the service speaks about has a code. `true`: the same input may succeed later, so it is retried;
 * bad audio stays bad, and retrying it only delays the answer.
 */
export const RETRYABLE = {
  invalid_request: false,
  unauthorized: false,
  forbidden: false,
  not_found: false,
  conflict: false,
  too_large: false,
  quota_exceeded: true,
  queue_full: true,
  unavailable: true,
  not_audio: false,
  audio_corrupt: false,
  audio_empty: false,
  audio_too_long: false,
  url_refused: false,
  url_failed: false,
  url_unreachable: true,
  blob_not_found: false,
  storage_unavailable: true,
  engine_busy: true,
  engine_crashed: true,
  engine_timeout: true,
  model_unavailable: true,
  worker_lost: true,
  cancelled: false,
} as const

export type ErrorCode = keyof typeof RETRYABLE

export class LipikError extends Error {
  readonly code: ErrorCode
  /** Shown to the caller beside the message, for example which files were refused and why. */
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options)
    this.name = 'LipikError'
    this.code = code
    this.details = options.details
  }

  get retryable(): boolean {
    return RETRYABLE[this.code]
  }
}

/** An error we have no code for may be a network blip: only what is known to be final is not tried again. */
export const isRetryable = (error: unknown): boolean => !(error instanceof LipikError) || error.retryable
