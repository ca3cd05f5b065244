import { isRetryable, LipikError } from '../platform/errors.ts'

/** Why a job failed, as its user may read it. */
export type JobFault = { readonly code: string; readonly message: string }

/** What has no code of ours came from inside: the log has it, the user is told no more than that. */
export function toFault(error: unknown): JobFault {
  if (error instanceof LipikError) return { code: error.code, message: error.message }
  return isRetryable(error)
    ? { code: 'unavailable', message: 'an internal fault; it was tried again without success' }
    : { code: 'internal', message: 'an internal fault' }
}

export const WORKER_LOST: JobFault = { code: 'worker_lost', message: 'the workers that ran this stopped unexpectedly' }
export const CANCELLED: JobFault = { code: 'cancelled', message: 'the batch was cancelled' }
