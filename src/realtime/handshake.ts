import type { IncomingMessage } from 'node:http'

/** Ours, and the one that stock clients send. */
const BRANDS = ['lipik', 'openai']
const KEY_ENTRY = new RegExp(`^(?:${BRANDS.join('|')})-insecure-api-key\\.(.+)$`)
const BETA_ENTRIES = BRANDS.map((brand) => `${brand}-beta.realtime-v1`)
const ORIGIN = 'ws://localhost'
const BEARER = /^bearer +(\S+) *$/i

export type Handshake = {
  readonly pathname: string
  readonly model: string | null
  readonly isTranscription: boolean
  readonly protocols: readonly string[]
  readonly credential: string | null
  /** Who sent it in a header can read an HTTP status; a browser cannot. */
  readonly by: 'header' | 'subprotocol'
  readonly isBeta: boolean
}

/** What an upgrade request says about who comes and how they speak. */
export function readHandshake(request: IncomingMessage): Handshake {
  const { pathname, searchParams } = addressOf(request.url ?? '/')
  const protocols = (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const { authorization } = request.headers
  const inProtocols = protocols.map((entry) => KEY_ENTRY.exec(entry)?.[1]).find((key) => key !== undefined)
  const isByHeader = authorization !== undefined || inProtocols === undefined
  const credential = isByHeader ? BEARER.exec(authorization ?? '')?.[1] : inProtocols
  return {
    pathname,
    model: searchParams.get('model'),
    isTranscription: searchParams.get('intent') === 'transcription',
    protocols,
    credential: credential ?? null,
    by: isByHeader ? 'header' : 'subprotocol',
    isBeta: hasBetaHeader(request) || protocols.some((entry) => BETA_ENTRIES.includes(entry)),
  }
}

/** What is no address is none of ours. */
const addressOf = (path: string): URL =>
  URL.canParse(path, ORIGIN) ? new URL(path, ORIGIN) : new URL('/not-an-address', ORIGIN)

const hasBetaHeader = ({ headers }: IncomingMessage): boolean =>
  BRANDS.some((brand) =>
    String(headers[`${brand}-beta`] ?? '')
      .split(/[\s,]+/)
      .includes('realtime=v1'),
  )
