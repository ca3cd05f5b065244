/** What the service says of a request it refused: a text, or an object with a `message` and particulars. */
export type FailureDetail = string | { readonly message?: string; readonly [key: string]: unknown }

/** The service answered, and the answer is a failure. */
export class LipikApiError extends Error {
  readonly status: number
  readonly detail: FailureDetail
  /** Names the request in the service's log. */
  readonly requestId: string | undefined
  /** How long the service asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, detail: FailureDetail, requestId?: string, retryAfterSeconds?: number) {
    super(`${messageOf(detail)} (${status})`)
    this.name = 'LipikApiError'
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No whole answer came: the service could not be reached, or the connection broke. */
export class LipikConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LipikConnectionError'
  }
}

const messageOf = (detail: FailureDetail): string =>
  typeof detail === 'string' ? detail : (detail.message ?? JSON.stringify(detail))

type Answer = { readonly status: number; readonly text: string; header(name: string): string | null }

/** Failures are `{"detail": ...}`, or `{"error": ...}` from results; a proxy in between may say anything. */
export function toApiError({ status, text, header }: Answer): LipikApiError {
  const wait = Number(header('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(wait) ? wait : undefined
  return new LipikApiError(status, detailOf(text), header('x-request-id') ?? undefined, retryAfterSeconds)
}

function detailOf(text: string): FailureDetail {
  const body = parseObject(text)
  const detail = body?.detail ?? body?.error
  if (typeof detail === 'string') return detail
  if (typeof detail === 'object' && detail !== null) return { ...detail }
  return text.slice(0, 200).trim() || 'the service gave no reason'
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
