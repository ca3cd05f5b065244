import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import { ProtocolError } from './protocol-error.ts'
import { Session, type SessionOptions, type SessionServices } from './session.ts'
import { type OutboxLimits, WsOutbox } from './ws-outbox.ts'

export type ConnectionOptions = Omit<SessionOptions, 'outbox'> & { readonly limits: OutboxLimits }

/** A client that sends faster than it is heard is held back by its own network, not by our memory. */
const PAUSE_BYTES = 4_000_000
const RESUME_BYTES = 500_000
const FAREWELL_MS = 1_000
const LOOK_EVERY_MS = 20

/** One socket and its session; they end together. */
export class Connection {
  readonly #socket: WebSocket
  readonly #session: Session
  #isAlive = true

  constructor(services: SessionServices, socket: WebSocket, options: ConnectionOptions, onEnd: () => void) {
    this.#socket = socket
    const outbox = new WsOutbox(socket, options.limits, () => this.#letOn())
    this.#session = new Session(services, { ...options, outbox })
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // Frames that are too large or broken: the library has closed with the right code already.
    socket.on('error', (error) => services.log.debug({ error }, 'a realtime connection broke'))
    socket.on('close', () => {
      this.#session.close()
      onEnd()
    })
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#isAlive = true
    if (isBinary) {
      this.#session.refuse(new ProtocolError('invalid_json', 'Binary frames are not understood: send JSON text.'))
      return
    }
    this.#session.receive(data.toString())
    if (this.#session.waiting > PAUSE_BYTES) this.#socket.pause()
  }

  #letOn(): void {
    if (this.#socket.isPaused && this.#session.waiting < RESUME_BYTES) this.#socket.resume()
  }

  /** Who has not answered the last one is gone. */
  ping(): void {
    if (!this.#isAlive && !this.#socket.isPaused) {
      this.#socket.terminate()
      return
    }
    this.#isAlive = false
    this.#socket.ping()
  }

  async drain(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs
    while (!this.#session.isIdle && performance.now() < deadline) await delay(LOOK_EVERY_MS)
    if (this.#socket.readyState === this.#socket.CLOSED) return
    const closed = once(this.#socket, 'close')
    this.#socket.close(1001, 'the service is stopping')
    const late = setTimeout(() => this.#socket.terminate(), FAREWELL_MS)
    await closed
    clearTimeout(late)
  }
}
