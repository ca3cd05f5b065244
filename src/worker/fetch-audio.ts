import type { IncomingMessage } from 'node:http'
import { LipikError } from '../platform/errors.ts'
import type { FetchAudio } from './file-jobs.ts'
import { type AddressRule, checkUrl, guardedRequest, isTimeout } from './guarded-request.ts'

export type FetchSettings = AddressRule & { readonly maxBytes: number; readonly timeoutSeconds: number }

const MOST_REDIRECTS = 5
const HEADERS = { accept: 'audio/*, video/*, */*;q=0.5', 'accept-encoding': 'identity' }

/** Fetches recordings that others keep. Every hop is checked anew; the whole must fit in the limits of an upload. */
export const createFetchAudio =
  (settings: FetchSettings): FetchAudio =>
  async (address, stopped) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(settings.timeoutSeconds * 1000)])
    let url = checkUrl(address, settings)
    for (let hops = 0; ; hops++) {
      const response = await guardedRequest(url, settings, { method: 'GET', headers: HEADERS, signal })
      const next = redirectOf(response)
      if (next === undefined) return readBody(accept(response, settings), settings, signal)
      response.destroy()
      if (hops === MOST_REDIRECTS) throw new LipikError('url_refused', `more than ${MOST_REDIRECTS} redirects`)
      url = checkUrl(URL.canParse(next, url.href) ? new URL(next, url).href : next, settings)
    }
  }

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? (headers.location ?? '') : undefined
}

function accept(response: IncomingMessage, { maxBytes }: FetchSettings): IncomingMessage {
  const { statusCode = 0, headers } = response
  const fault = faultOf(statusCode, Number(headers['content-length'] ?? 0), maxBytes)
  if (fault) response.destroy()
  if (fault) throw fault
  return response
}

function faultOf(status: number, length: number, maxBytes: number): LipikError | undefined {
  const answered = `the address answered ${status}`
  if (status === 429 || status === 408 || status >= 500) return new LipikError('url_unreachable', answered)
  if (status < 200 || status >= 300) return new LipikError('url_failed', answered)
  return length > maxBytes ? tooLarge(maxBytes) : undefined
}

const tooLarge = (maxBytes: number) => new LipikError('too_large', `the audio is larger than ${maxBytes} bytes`)

async function* readBody(
  response: IncomingMessage,
  { maxBytes }: FetchSettings,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let read = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      read += piece.length
      if (read > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (error) {
    if (error instanceof LipikError || (signal.aborted && !isTimeout(signal.reason))) throw error
    throw new LipikError('url_unreachable', 'the address broke off in the middle', { cause: error })
  } finally {
    response.destroy()
  }
}
