import { z } from 'zod'

const DETAIL = z.union([z.string(), z.record(z.string(), z.unknown())])
const FAILURE = z.object({ detail: DETAIL })

const MEANING = {
  400: 'The request is not valid; `detail.errors` names each field.',
  401: 'The token is missing, malformed, expired or signed by an unknown key.',
  403: 'The resource belongs to another user.',
  404: 'There is no such resource, or it is not yours.',
  409: 'The state of the resource does not allow this now.',
  413: 'The body, or one of its files, is too large.',
  416: 'The range begins past the end; `Content-Range` says how long the whole is.',
  429: 'A quota or rate limit is used up; `Retry-After` says when to come back.',
  500: 'Something unexpected failed; the log has the cause under the `x-request-id`.',
  503: 'A dependency or the queue cannot take this now; `Retry-After` says when to come back.',
} as const

export type FailureStatus = keyof typeof MEANING
type FailureResponses<S extends FailureStatus> = Record<S, typeof FAILURE>

/** Response schemas of a route's failures: `response: { 200: Page, ...failures(400, 404) }`. */
export function failures<S extends FailureStatus>(...statuses: S[]): FailureResponses<S> {
  const entries = statuses.map((status) => [status, FAILURE.describe(MEANING[status])])
  // Object.fromEntries forgets which keys it was given.
  return Object.fromEntries(entries) as FailureResponses<S>
}
