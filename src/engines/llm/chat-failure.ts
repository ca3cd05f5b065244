import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import { type ErrorCode, LipikError } from '../../platform/errors.ts'

/** What went wrong at the chat server, in our words: its own may hold the prompt or the key. */
export function chatFailure(error: unknown): LipikError {
  if (error instanceof LipikError) return error
  if (error instanceof APIUserAbortError) return new LipikError('cancelled', 'the reply was broken off')
  if (error instanceof APIConnectionTimeoutError) {
    return new LipikError('engine_timeout', 'the language model server gave no answer in time', { cause: error })
  }
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    return new LipikError('unavailable', 'the language model server cannot be reached, or cut the line', {
      cause: error,
    })
  }
  // An error that arrives inside a stream has no status.
  const status: number | undefined = error.status
  const message =
    status === undefined ? 'the language model server failed' : `the language model server answered ${status}`
  const waitMs = retryAfterMs(error.headers)
  const details = waitMs === undefined ? {} : { details: { retry_after_seconds: Math.ceil(waitMs / 1000) } }
  return new LipikError(codeOf(status), message, { cause: error, ...details })
}

function codeOf(status: number | undefined): ErrorCode {
  if (status === 429) return 'engine_busy'
  if (status === 413) return 'too_large'
  if (status === undefined || status >= 500 || status === 408) return 'unavailable'
  // A key that is wrong or a model that is not there: the operator's to mend, not the caller's.
  return status === 401 || status === 403 || status === 404 ? 'model_unavailable' : 'invalid_request'
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
export function retryAfterMs(headers: Headers | undefined, nowMs = Date.now()): number | undefined {
  const given = headers?.get('retry-after')
  if (!given) return undefined
  const seconds = Number(given)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - nowMs
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
