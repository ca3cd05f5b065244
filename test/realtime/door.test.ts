import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { LipikError } from '../../src/platform/errors.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { eventually } from '../support/eventually.ts'
import { RealtimeClient } from '../support/realtime-client.ts'
import { type DoorChanges, gate, RealtimeHarness } from '../support/realtime-door.ts'

let harness: RealtimeHarness | undefined
afterEach(() => harness?.close())

async function open(changes: DoorChanges = {}): Promise<RealtimeHarness> {
  harness = await new RealtimeHarness().open(changes)
  return harness
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

/** What an upgrade is refused with. */
async function refused(url: string, protocols: string[] = [], headers: Record<string, string> = {}): Promise<Answer> {
  const socket = new WebSocket(url, protocols, { headers })
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  let body = ''
  for await (const part of response) body += part
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

const GOOD = { authorization: 'Bearer good' }

describe('the door', () => {
  it('lets in who brings a key by header, and answers no subprotocol', async () => {
    const { url } = await openUrl()
    const client = new RealtimeClient(url, [], { headers: GOOD })
    const { session } = await client.next('session.created')
    expect([client.socket.protocol, client.types()]).toEqual(['', ['session.created']])
    expect(session).toMatchObject({ object: 'realtime.session' })
    await client.close()
  })

  it.each([
    ['openai'],
    ['lipik'],
  ])('lets in who brings a key by subprotocol of %s, and answers only "realtime"', async (brand) => {
    const { url } = await openUrl()
    const entries = ['realtime', `${brand}-insecure-api-key.good-1`, `${brand}-beta.realtime-v1`]
    const client = new RealtimeClient(url, entries)
    const { session } = await client.next('session.created')
    expect(client.socket.protocol).toBe('realtime')
    expect(session).not.toHaveProperty('audio')
    await client.close()
  })

  it.each([['OpenAI-Beta'], ['Lipik-Beta']])('knows beta by %s', async (header) => {
    const { url } = await openUrl()
    const client = new RealtimeClient(url, [], { headers: { ...GOOD, [header]: 'realtime=v1' } })
    expect((await client.next('session.created')).session).not.toHaveProperty('audio')
    await client.close()
  })

  it('refuses a bad key by status where it came by header', async () => {
    const { url } = await openUrl()
    for (const headers of [{ authorization: 'Bearer bad' }, { authorization: 'Basic good' }, {}]) {
      const { status, headers: answer, body } = await refused(url, [], headers as Record<string, string>)
      expect([status, answer['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(JSON.parse(body)).toMatchObject({
        detail: expect.any(String),
        error: { code: 'invalid_api_key', param: null },
      })
    }
  })

  it('tells a browser about its bad key, then closes with 3000', async () => {
    const { url } = await openUrl()
    const client = new RealtimeClient(url, ['realtime', 'openai-insecure-api-key.bad'])
    expect(await client.closed).toEqual({ code: 3000, reason: 'invalid_request_error.invalid_api_key' })
    expect(client.events).toMatchObject([
      { type: 'error', event_id: expect.any(String), error: { code: 'invalid_api_key' } },
    ])
  })

  it('closes with 4000 for a model it does not have', async () => {
    const { harness } = await openUrl()
    for (const query of ['', '?model=', '?model=other', '?model=lipik-realtime&intent=transcription']) {
      const client = new RealtimeClient(harness.url(query), [], { headers: GOOD })
      expect((await client.closed).code).toBe(4000)
      expect(client.types()).toEqual(['error'])
    }
  })

  it('takes only its own model where it is told to be strict', async () => {
    const { harness } = await openUrl({ isStrict: true })
    const client = new RealtimeClient(harness.url('?model=gpt-realtime'), [], { headers: GOOD })
    expect(await client.closed).toEqual({ code: 4000, reason: 'invalid_request_error.model_not_found' })
  })

  it('refuses other paths, and subprotocols without "realtime"', async () => {
    const { harness, url } = await openUrl()
    expect((await refused(`ws://127.0.0.1:${harness.port}/v1/other`, [], GOOD)).status).toBe(404)
    expect((await refused(url, ['openai-insecure-api-key.good'])).status).toBe(400)
  })

  it('counts what a key uses', async () => {
    const { url, harness } = await openUrl({ settings: { sessionsPerKey: 1, connectionsPerMinute: 3, maxSessions: 2 } })
    const first = new RealtimeClient(url, [], { headers: GOOD })
    await first.next('session.created')
    const second = await refused(url, [], GOOD)
    expect([second.status, second.headers['retry-after'] !== undefined]).toEqual([429, true])
    const other = new RealtimeClient(url, [], { headers: { authorization: 'Bearer good-2' } })
    await other.next('session.created')
    expect((await refused(url, [], { authorization: 'Bearer good-3' })).status).toBe(503)
    await Promise.all([first.close(), other.close()])
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
    for (const _ of [1, 2]) {
      const again = new RealtimeClient(url, [], { headers: GOOD })
      await again.next('session.created')
      await again.close()
      await eventually(
        async () => harness.door.sessions,
        (open) => open === 0,
      )
    }
    expect((await refused(url, [], GOOD)).status).toBe(429)
  })

  it('keeps no place for a handshake that is broken', async () => {
    const { harness } = await openUrl({ settings: { sessionsPerKey: 1 } })
    const socket = connect(harness.port, '127.0.0.1')
    const head = [
      'GET /v1/realtime?model=lipik-realtime HTTP/1.1',
      'host: a',
      'upgrade: websocket',
      'connection: upgrade',
    ]
    socket.write(`${[...head, 'authorization: Bearer good', 'sec-websocket-key: bad'].join('\r\n')}\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /)
    socket.destroy()
    const retry = async () => {
      const client = new RealtimeClient(harness.url(), [], { headers: GOOD })
      harness.clients.add(client)
      return Promise.race([client.next('session.created').catch(() => undefined), client.closed.then(() => undefined)])
    }
    await eventually(retry, (created) => created !== undefined)
  })

  it('begins a session as its token says, which the client may change', async () => {
    const session = { model: 'lipik-realtime', instructions: 'From the token.', voice: 'neel', turn_detection: null }
    const visitor = { userId: 'asha' as UserId, limitKey: 'k', session }
    const { harness } = await openUrl({ verify: async () => visitor })
    const client = new RealtimeClient(harness.url(''), ['realtime', 'openai-insecure-api-key.ek_x'])
    expect((await client.next('session.created')).session).toMatchObject({
      instructions: 'From the token.',
      voice: 'neel',
    })
    const update = { type: 'session.update', session: { type: 'realtime', instructions: 'Mine.' } }
    expect((await client.ask(update, 'session.updated')).session).toMatchObject({ instructions: 'Mine.' })
    await client.close()
  })

  it('says when nobody can be asked about a key', async () => {
    const verify = () => Promise.reject(new LipikError('unavailable', 'keys cannot be read now'))
    const { url } = await openUrl({ verify })
    expect((await refused(url, [], GOOD)).status).toBe(503)
  })

  it('ends a session that has lasted long enough', async () => {
    const { harness } = await openUrl({ limits: { maxSessionMs: 300 } })
    const client = await harness.connect()
    expect((await client.closed).code).toBe(1001)
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_expired' } })
  })

  it('closes a connection that sends too large a frame', async () => {
    const { harness } = await openUrl({ settings: { maxFrameBytes: 10_000 } })
    const client = await harness.connect()
    client.send({ type: 'x'.repeat(20_000) })
    expect((await client.closed).code).toBe(1009)
  })

  it('wakes the voices for a session, and lets them sleep after it', async () => {
    const { harness } = await openUrl()
    const [first, second] = [await harness.connect(), await harness.connect()]
    expect(harness.synthesizer.keepers).toBe(2)
    await first.close()
    second.socket.terminate()
    await eventually(
      async () => harness.synthesizer.keepers,
      (keepers) => keepers === 0,
    )
  })

  it('drops a client that answers no ping', async () => {
    const { harness } = await openUrl({ settings: { pingMs: 100 } })
    const client = await harness.connect()
    // The library answers pings by itself; a paused socket does not.
    client.socket.pause()
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
  })

  it('gives up a client that does not read', async () => {
    const { harness } = await openUrl({ settings: { maxBufferedBytes: 1_000_000 } })
    const client = await harness.connect()
    const item = {
      id: 'long',
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'x'.repeat(500_000) }],
    }
    await client.ask({ type: 'conversation.item.create', item }, 'conversation.item.created')
    client.socket.pause()
    for (let count = 0; count < 60; count++) client.send({ type: 'conversation.item.retrieve', item_id: 'long' })
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
  })

  it('lets a reply end before it stops, and takes nobody new', async () => {
    const pause = gate()
    const { harness, url } = await openUrl()
    harness.model.script = () => [
      { kind: 'wait', until: pause.promise },
      { kind: 'text', text: 'Done.' },
    ]
    const client = await harness.connect()
    await client.ask({ type: 'response.create' }, 'response.created')
    const closing = harness.door.close()
    expect((await refused(url, [], GOOD)).status).toBe(503)
    pause.open()
    const done = await client.next('response.done')
    expect(done.response).toMatchObject({ status: 'completed' })
    expect((await client.closed).code).toBe(1001)
    await closing
  })
})

async function openUrl(changes: DoorChanges = {}) {
  const opened = await open(changes)
  return { harness: opened, url: opened.url() }
}
