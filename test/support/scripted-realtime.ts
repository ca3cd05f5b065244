import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { eventually } from './eventually.ts'

export type SentEvent = { readonly type: string; readonly event_id: string; readonly [member: string]: unknown }

/** The server's side of one realtime session, played by a test event by event. */
export type ScriptedSession = {
  readonly protocols: readonly string[]
  readonly received: SentEvent[]
  say(...events: object[]): void
  /** The next event of this type that the client sends; each is given once. */
  heard(type: string): Promise<SentEvent>
  close(code: number, reason: string): void
}

export type ScriptedRealtime = {
  readonly url: string
  session(): Promise<ScriptedSession>
  close(): Promise<void>
}

/** A realtime door without a room behind it: it opens sessions, and the test says what comes out. */
export async function openScriptedRealtime(): Promise<ScriptedRealtime> {
  const handleProtocols = (offered: Set<string>) => (offered.has('realtime') ? 'realtime' : false)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/v1/realtime', handleProtocols })
  await once(server, 'listening')
  const sessions: ScriptedSession[] = []
  server.on('connection', (socket, request) => {
    const offered = request.headers['sec-websocket-protocol'] ?? ''
    sessions.push(toSession(socket, offered.split(/, ?/)))
  })
  // A server listening on an address and port has one.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async session() {
      await eventually(
        async () => sessions.length,
        (count) => count > 0,
      )
      const session = sessions.shift()
      if (!session) throw new Error('no session was opened')
      return session
    },
    async close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

function toSession(socket: WebSocket, protocols: readonly string[]): ScriptedSession {
  const received: SentEvent[] = []
  const given = new Set<SentEvent>()
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  const next = (type: string) => received.find((event) => event.type === type && !given.has(event))
  return {
    protocols,
    received,
    say(...events) {
      for (const [index, event] of events.entries())
        socket.send(JSON.stringify({ event_id: `event_${Date.now()}_${index}`, ...event }))
    },
    async heard(type) {
      const event = await eventually(
        async () => next(type),
        (found) => found !== undefined,
      )
      if (!event) throw new Error(`no ${type} was sent`)
      given.add(event)
      return event
    },
    close: (code, reason) => socket.close(code, reason),
  }
}
