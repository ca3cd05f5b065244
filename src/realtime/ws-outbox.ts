import type { WebSocket } from 'ws'
import type { Outbox } from './outbox.ts'
import type { Wire } from './render-objects.ts'

export type OutboxLimits = {
  /** What may wait for a slow client before it is given up. */
  readonly maxBufferedBytes: number
  /** How long it may take to catch up. */
  readonly slowMs: number
}

/** About a second of speech: more than this in the socket could not be taken back when somebody interrupts. */
const ENOUGH_BYTES = 65_536
const LOOK_EVERY_MS = 10
const MAX_REASON_BYTES = 123

export class WsOutbox implements Outbox {
  readonly #socket: WebSocket
  readonly #limits: OutboxLimits
  readonly #onWorked: () => void

  constructor(socket: WebSocket, limits: OutboxLimits, onWorked: () => void) {
    this.#socket = socket
    this.#limits = limits
    this.#onWorked = onWorked
  }

  send(frame: Wire): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(JSON.stringify(frame))
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) this.#giveUp()
  }

  keepsUp(): Promise<void> | undefined {
    return this.#socket.bufferedAmount < ENOUGH_BYTES ? undefined : this.#caughtUp()
  }

  onWorked(): void {
    this.#onWorked()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString())
  }

  #caughtUp(): Promise<void> {
    const deadline = performance.now() + this.#limits.slowMs
    return new Promise((resolve) => {
      const look = () => {
        const isOpen = this.#socket.readyState === this.#socket.OPEN
        if (!isOpen || this.#socket.bufferedAmount < ENOUGH_BYTES) return resolve()
        if (performance.now() < deadline) return void setTimeout(look, LOOK_EVERY_MS)
        this.#giveUp()
        return resolve()
      }
      look()
    })
  }

  /** A client that does not read gets no farewell either: the frame would wait behind the others. */
  #giveUp(): void {
    this.close(1008, 'the client reads too slowly')
    setTimeout(() => this.#socket.terminate(), LOOK_EVERY_MS).unref()
  }
}
