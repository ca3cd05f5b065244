import { LipikConnectionError, toApiError } from './failures.ts'
import { type RetryOptions, withRetries } from './retries.ts'

/** A function is asked before each request, so that a token can be renewed. */
export type TokenSource = string | (() => string | Promise<string>)

export type LipikOptions = {
  /** Where the service is, with its BASE_PATH: `http://127.0.0.1:8080`. */
  readonly url: string
  readonly token: TokenSource
  /** How often a request that failed for a passing reason is repeated; 4 unless said otherwise. */
  readonly maxRetries?: number
  readonly onRetry?: RetryOptions['onRetry']
  /** For environments with a fetch of their own. */
  readonly fetch?: typeof globalThis.fetch
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export type Call = {
  readonly method?: string
  readonly query?: Query
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** How long an answer may take to begin. */
  readonly timeoutMs?: number
}

const ANSWER_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 4

/** Requests to one service as one user: token, retries, failures. */
export class Connection {
  readonly #url: string
  readonly #options: LipikOptions

  constructor(options: LipikOptions) {
    this.#url = options.url.replace(/\/+$/, '')
    this.#options = options
  }

  get fetch(): typeof globalThis.fetch {
    return this.#options.fetch ?? globalThis.fetch
  }

  address(path: string, query: Query = {}): string {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
    return this.#url + path + (given.size === 0 ? '' : `?${given}`)
  }

  async authorization(): Promise<Record<string, string>> {
    const { token } = this.#options
    return { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }
  }

  /** Runs one attempt again as this connection's options say. */
  retrying<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { maxRetries = DEFAULT_RETRIES, onRetry } = this.#options
    return withRetries(attempt, { maxRetries, onRetry, signal })
  }

  /** The answer as JSON, in the form the service's description promises. */
  async json<T>(path: string, call: Call = {}): Promise<T> {
    // The service validates its answers against the schemas that T was generated from.
    return JSON.parse(await this.text(path, call)) as T
  }

  /** The whole answer; a connection that breaks in its middle is tried again. */
  text(path: string, call: Call = {}): Promise<string> {
    const once = async () => {
      const response = await this.#fetch(path, call)
      return response.text().catch((error: unknown) => Promise.reject(broken(path, error, call.signal)))
    }
    return this.retrying(once, call.signal)
  }

  /** An answer whose body the caller reads: only reaching it is tried again. */
  open(path: string, call: Call = {}): Promise<Response> {
    return this.retrying(() => this.#fetch(path, call), call.signal)
  }

  async #fetch(path: string, call: Call): Promise<Response> {
    const { method = 'GET', query, json, headers, signal, timeoutMs = ANSWER_TIMEOUT_MS } = call
    const { fetch } = this
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    const request = {
      method,
      headers: {
        ...(await this.authorization()),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: signal ? AbortSignal.any([signal, patience.signal]) : patience.signal,
    }
    const response = await fetch(this.address(path, query), request)
      .catch((error: unknown) => Promise.reject(broken(path, error, signal)))
      .finally(() => clearTimeout(timer))
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    throw toApiError({ status: response.status, text, header: (name) => response.headers.get(name) })
  }
}

/** The caller's own stop stays what it is; everything else is the network's. */
export function broken(what: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  return new LipikConnectionError(`${what}: ${reasonOf(error)}`, { cause: error })
}

/** fetch says "fetch failed" and keeps the reason in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
