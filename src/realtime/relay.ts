import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { LipikError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'
import { type Handshake, readHandshake } from './handshake.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'

export type RelayOptions = {
  /** `ws://` or `wss://` origin of the service, with its base path. */
  readonly upstream: string
  /** The key that stays here. */
  readonly apiKey: string
  /** Pages that may connect; empty: any. Who sends no origin is no browser. */
  readonly origins: readonly string[]
  /** Throws for a token that is not good: the relay knows its own visitors. */
  readonly verifyToken: (token: string) => Promise<unknown>
  readonly maxFrameBytes: number
  readonly log: Logger
}

type Frame = { readonly data: RawData; readonly isBinary: boolean }

const PATH = '/v1/realtime'
/** Frames wait in the network rather than here when one side reads slowly. */
const PAUSE_BYTES = 1_048_576
const LOOK_EVERY_MS = 20

/** Stands between browsers and the service: they show a token of their own, it shows the key; frames pass both ways as they are. */
export class Relay {
  readonly #options: RelayOptions
  readonly #sockets: WebSocketServer
  readonly #pairs = new Set<WebSocket>()

  constructor(options: RelayOptions) {
    this.#options = options
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: options.maxFrameBytes,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
    })
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      this.#receive(request, socket, head).catch((error: unknown) => {
        const isOurs = error instanceof LipikError
        if (!isOurs) this.#options.log.error({ error }, 'a relayed connection failed')
        refuseUpgrade(socket, isOurs ? error : new LipikError('unavailable', 'the service cannot be reached'))
      })
    })
  }

  async #receive(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const handshake = readHandshake(request)
    if (handshake.pathname !== PATH) throw new LipikError('not_found', 'not found')
    const { origin } = request.headers
    const { origins, verifyToken } = this.#options
    if (origin !== undefined && origins.length > 0 && !origins.includes(origin)) {
      throw new LipikError('unauthorized', 'this page may not connect')
    }
    if (handshake.credential === null) throw new LipikError('unauthorized', 'a token is required')
    await verifyToken(handshake.credential)
    const { upstream, takeEarly } = await this.#connect(request, handshake)
    this.#sockets.handleUpgrade(request, socket, head, (visitor) => this.#join(visitor, upstream, takeEarly()))
    if (socket.destroyed) upstream.terminate()
  }

  /** The service speaks first, before the visitor is let in: what it says until then is kept. */
  async #connect({ url }: IncomingMessage, { isBeta }: Handshake) {
    const { upstream, apiKey, maxFrameBytes } = this.#options
    const query = (url ?? '').split('?')[1] ?? ''
    const headers = { authorization: `Bearer ${apiKey}`, ...(isBeta && { 'lipik-beta': 'realtime=v1' }) }
    const socket = new WebSocket(`${upstream}${PATH}?${query}`, { headers, maxPayload: maxFrameBytes })
    const early: Frame[] = []
    const keep = (data: RawData, isBinary: boolean) => early.push({ data, isBinary })
    socket.on('message', keep)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', (cause) =>
        reject(new LipikError('unavailable', 'the service does not take this connection now', { cause })),
      )
    })
    const takeEarly = () => {
      socket.off('message', keep)
      return early
    }
    return { upstream: socket, takeEarly }
  }

  #join(visitor: WebSocket, upstream: WebSocket, early: readonly Frame[]): void {
    this.#pairs.add(visitor)
    for (const { data, isBinary } of early) visitor.send(data, { binary: isBinary })
    pass(visitor, upstream)
    pass(upstream, visitor)
    visitor.once('close', () => this.#pairs.delete(visitor))
  }

  async close(): Promise<void> {
    for (const visitor of this.#pairs) visitor.close(1001, 'the relay is stopping')
    this.#sockets.close()
  }
}

function pass(from: WebSocket, to: WebSocket): void {
  from.on('message', (data, isBinary) => {
    to.send(data, { binary: isBinary })
    if (to.bufferedAmount > PAUSE_BYTES) holdBack(from, to)
  })
  from.on('close', (code, reason) => to.close(sendable(code), reason))
  from.on('error', () => from.terminate())
}

function holdBack(from: WebSocket, to: WebSocket): void {
  from.pause()
  const look = () => {
    if (to.readyState === WebSocket.OPEN && to.bufferedAmount > PAUSE_BYTES) setTimeout(look, LOOK_EVERY_MS)
    else from.resume()
  }
  look()
}

/** RFC 6455, section 7.4.1: these say how a connection ended and are never sent. */
const sendable = (code: number): number => (code === 1005 ? 1000 : code === 1006 || code === 1015 ? 1011 : code)
