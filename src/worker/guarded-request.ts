import { lookup as lookupName } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { LipikError } from '../platform/errors.ts'
import { isPublicAddress } from './public-address.ts'

export type AddressRule = {
  /** Closed networks and tests: any address, any port. */
  readonly allowPrivate: boolean
  /** Given by tests, which have no public address to be at: how names are resolved, what is public, which ports are open. */
  readonly lookup?: LookupFunction
  readonly isPublic?: (address: string) => boolean
  readonly ports?: ReadonlySet<string>
}

export type GuardedRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

const PORTS = new Set(['', '80', '443', '8080', '8443'])

const refused = (why: string) => new LipikError('url_refused', why)

/** An address as it will be used. The parser has already written numbers in disguise (0x7f.1, 2130706433) as what they are. */
export function checkUrl(text: string, rule: AddressRule): URL {
  const { allowPrivate, isPublic = isPublicAddress, ports = PORTS } = rule
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw refused('the address is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('only http and https are fetched')
  if (url.username !== '' || url.password !== '') throw refused('an address with credentials is not fetched')
  if (allowPrivate) return url
  if (!ports.has(url.port)) throw refused(`port ${url.port} is not fetched from`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublic(host)) throw refused('the address is not a public one')
  // Always this machine, whatever a resolver says of it; some do not know it at all.
  if (/(^|\.)localhost\.?$/.test(host)) throw refused('the address is not a public one')
  return url
}

/**
 * One request, no redirects. The check sits where the socket gets its address: what was checked is what is connected to, and
 * a name that answers differently the second time (rebinding) gains nothing.
 */
export async function guardedRequest(url: URL, rule: AddressRule, sent: GuardedRequest): Promise<IncomingMessage> {
  checkUrl(url.href, rule)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const options: RequestOptions = {
    method: sent.method,
    headers: { 'user-agent': 'lipik', ...sent.headers },
    lookup: guardedLookup(rule),
    // A socket of its own: one that was kept open was checked for another request.
    agent: false,
    signal: sent.signal,
  }
  return new Promise((resolve, reject) => {
    const request = send(url, options, resolve)
    request.once('error', (error) => reject(describe(error, sent.signal)))
    request.end(sent.body)
  })
}

function guardedLookup(rule: AddressRule): LookupFunction {
  const { allowPrivate, lookup = lookupName, isPublic = isPublicAddress } = rule
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const [first] = all
      if (!first) return callback(refused('the name has no address'), '')
      if (!allowPrivate && !all.every(({ address }) => isPublic(address)))
        return callback(refused('the name leads to an address that is not a public one'), '')
      return options.all ? callback(null, all) : callback(null, first.address, first.family)
    })
}

function describe(error: Error, signal: AbortSignal): Error {
  if (error instanceof LipikError) return error
  if (signal.aborted && isTimeout(signal.reason)) return new LipikError('url_unreachable', 'the address took too long')
  if (signal.aborted) return error
  return new LipikError('url_unreachable', 'the address could not be reached', { cause: error })
}

export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'
