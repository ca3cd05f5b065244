import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'
import { eventually } from './eventually.ts'

export type WireEvent = { readonly type: string; readonly [member: string]: unknown }

/** A client that does nothing by itself: sends what it is told, keeps what it gets. */
export class RealtimeClient {
  readonly socket: WebSocket
  readonly events: WireEvent[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  #read = 0

  constructor(url: string, protocols: string[] = [], options: ClientOptions = {}) {
    this.socket = new WebSocket(url, protocols, options)
    this.socket.on('message', (data) => this.events.push(JSON.parse(data.toString())))
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
    })
  }

  async opened(): Promise<this> {
    if (this.socket.readyState !== WebSocket.OPEN) await once(this.socket, 'open')
    return this
  }

  send(...events: object[]): void {
    for (const event of events) this.socket.send(JSON.stringify(event))
  }

  /** The next event of a type that was not asked for yet; what comes before it counts as read. */
  async next(type: string): Promise<WireEvent> {
    const find = () => this.events.findIndex((event, at) => at >= this.#read && event.type === type)
    const at = await eventually(
      async () => find(),
      (found) => found >= 0,
      10_000,
    ).catch(() => {
      const seen = this.events.map((event) => event.type).join(' ')
      throw new Error(`no ${type} after ${this.#read} of: ${seen}`)
    })
    this.#read = at + 1
    return this.events[at] as WireEvent
  }

  /** Sends and waits for the answer of this type. */
  ask(event: object, answer: string): Promise<WireEvent> {
    this.send(event)
    return this.next(answer)
  }

  /** The error that an event leads to. */
  async fault(
    event: object,
  ): Promise<{ code: string; param: string | null; message: string; event_id: string | null }> {
    const { error } = await this.ask(event, 'error')
    return error as { code: string; param: string | null; message: string; event_id: string | null }
  }

  types(): string[] {
    return this.events.map(({ type }) => type)
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}
