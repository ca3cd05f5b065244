import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { LipikError } from '../platform/errors.ts'
import type { Caller } from '../platform/identity/api-keys.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Connection } from './connection.ts'
import { type Handshake, readHandshake } from './handshake.ts'
import { type KeyLimitSettings, KeyLimits } from './key-limits.ts'
import { ProtocolError } from './protocol-error.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { SessionServices } from './session.ts'
import { startConfig } from './start-config.ts'
import type { OutboxLimits } from './ws-outbox.ts'

export type DoorSettings = KeyLimitSettings &
  OutboxLimits & {
    readonly path: string
    readonly maxFrameBytes: number
    readonly pingMs: number
    /** What is being said when the service stops may end within this. */
    readonly drainMs: number
    readonly instructions: string
  }

/** Who comes, and what a token brings along for the session. */
export type Visitor = Caller & { readonly session?: object }

export type DoorDeps = {
  readonly services: SessionServices
  readonly settings: DoorSettings
  /** Throws `unauthorized` for a credential nobody knows. */
  readonly verify: (credential: string) => Promise<Visitor>
  readonly metrics: Metrics
}

type Arrival = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

/**
 * Where connections become sessions. A stranger with a header is refused by HTTP status; a browser cannot read one, so it is
 * let in, told, and let out again.
 */
export class Door {
  readonly #deps: DoorDeps
  readonly #sockets: WebSocketServer
  readonly #limits: KeyLimits
  readonly #connections = new Set<Connection>()
  readonly #pings: NodeJS.Timeout
  #isClosing = false

  constructor(deps: DoorDeps) {
    this.#deps = deps
    this.#limits = new KeyLimits(deps.settings, () => deps.services.clock.monotonicMs())
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: deps.settings.maxFrameBytes,
      perMessageDeflate: false,
      // Never the entry with the key: it would land in the logs of everybody between.
      handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
    })
    this.#pings = setInterval(() => this.#ping(), deps.settings.pingMs)
    this.#pings.unref()
  }

  get sessions(): number {
    return this.#connections.size
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      // A client that goes away during the handshake is no error of ours.
      socket.on('error', () => socket.destroy())
      this.#receive({ request, socket, head }).catch((error: unknown) => {
        this.#deps.services.log.error({ error }, 'an upgrade failed')
        refuseUpgrade(socket, new LipikError('unavailable', 'internal error'))
      })
    })
  }

  async #receive(arrival: Arrival): Promise<void> {
    const { metrics, settings } = this.#deps
    const refuse = (error: LipikError, outcome: string) => {
      metrics.realtimeConnections.inc({ outcome })
      refuseUpgrade(arrival.socket, error)
    }
    const handshake = readHandshake(arrival.request)
    if (handshake.pathname !== settings.path) return refuse(new LipikError('not_found', 'not found'), 'not_found')
    if (this.#isClosing) return refuse(new LipikError('unavailable', 'the service is stopping'), 'stopping')
    if (handshake.protocols.length > 0 && !handshake.protocols.includes('realtime')) {
      return refuse(new LipikError('invalid_request', 'the subprotocol "realtime" must be offered'), 'bad_request')
    }
    try {
      await this.#admit(arrival, handshake)
    } catch (error) {
      if (!(error instanceof LipikError)) throw error
      if (error.code !== 'unauthorized' || handshake.by === 'header') return refuse(error, error.code)
      metrics.realtimeConnections.inc({ outcome: error.code })
      this.#letOut(arrival, new ProtocolError('invalid_api_key', error.message), 3000)
    }
  }

  async #admit(arrival: Arrival, handshake: Handshake): Promise<void> {
    if (handshake.credential === null) throw new LipikError('unauthorized', 'an API key or a token is required')
    const visitor = await this.#deps.verify(handshake.credential)
    if (this.#isClosing) throw new LipikError('unavailable', 'the service is stopping')
    if (arrival.socket.destroyed) return
    const place = this.#limits.enter(visitor.limitKey)
    // Also for a handshake that the library refuses: it never calls back.
    arrival.socket.once('close', place.leave)
    try {
      const { services, settings, metrics } = this.#deps
      const start = startConfig(services.vocabulary, handshake, visitor.session, settings.instructions)
      this.#upgrade(arrival, (socket) => {
        metrics.realtimeConnections.inc({ outcome: 'accepted' })
        const options = { ...start, allowance: place.responses, limits: settings }
        const connection = new Connection(services, socket, options, () => {
          this.#connections.delete(connection)
          metrics.realtimeSessions.set(this.#connections.size)
        })
        this.#connections.add(connection)
        metrics.realtimeSessions.set(this.#connections.size)
      })
    } catch (error) {
      place.leave()
      if (!(error instanceof ProtocolError)) throw error
      this.#deps.metrics.realtimeConnections.inc({ outcome: error.code })
      this.#letOut(arrival, error, 4000)
    }
  }

  #upgrade({ request, socket, head }: Arrival, onOpen: (socket: WebSocket) => void): void {
    this.#sockets.handleUpgrade(request, socket, head, onOpen)
  }

  #letOut(arrival: Arrival, { type, code, message, param }: ProtocolError, closeCode: number): void {
    this.#upgrade(arrival, (socket) => {
      socket.on('error', () => socket.terminate())
      const error = { type, code, message, param, event_id: null }
      socket.send(JSON.stringify({ type: 'error', event_id: 'event_refused', error }))
      socket.close(closeCode, `${type}.${code}`)
    })
  }

  #ping(): void {
    for (const connection of this.#connections) connection.ping()
  }

  /** No new sessions; replies under way may end; then everybody is told and let go. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#pings)
    await Promise.all([...this.#connections].map((connection) => connection.drain(this.#deps.settings.drainMs)))
    this.#sockets.close()
  }
}
