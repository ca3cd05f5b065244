import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LipikError } from '../../src/platform/errors.ts'
import { createLogger } from '../../src/platform/log.ts'
import { Relay } from '../../src/realtime/relay.ts'
import { eventually } from '../support/eventually.ts'
import { RealtimeClient } from '../support/realtime-client.ts'
import { RealtimeHarness, userText } from '../support/realtime-door.ts'

let harness: RealtimeHarness
let relay: Relay
let server: Server
let url: string
const credentials: string[] = []

beforeAll(async () => {
  harness = await new RealtimeHarness().open({
    verify: async (credential) => {
      credentials.push(credential)
      return { userId: 'website' as never, limitKey: 'website' }
    },
  })
  relay = new Relay({
    upstream: `ws://127.0.0.1:${harness.port}`,
    apiKey: 'lk_secret',
    origins: ['https://www.example'],
    verifyToken: async (token) => {
      if (token !== 'visitor') throw new LipikError('unauthorized', 'the token is not good')
    },
    maxFrameBytes: 1_000_000,
    log: createLogger({ level: 'silent' }),
  })
  server = createServer()
  relay.attach(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime?model=lipik-realtime`
})
afterAll(async () => {
  await relay.close()
  server.close()
  server.closeAllConnections()
  await harness.close()
})

const browser = (token: string, origin = 'https://www.example') =>
  new RealtimeClient(url, ['realtime', `openai-insecure-api-key.${token}`, 'openai-beta.realtime-v1'], { origin })

describe('the relay', () => {
  it('shows the service its own key, and passes frames both ways', async () => {
    const client = browser('visitor')
    expect((await client.next('session.created')).session).not.toHaveProperty('audio')
    client.send(userText('hello'), { type: 'response.create' })
    const done = await client.next('response.done')
    expect(done.response).toMatchObject({ output: [{ content: [{ transcript: 'You said: hello.' }] }] })
    expect(credentials).toEqual(['lk_secret'])
    await client.close()
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
  })

  it('turns away who it does not know, and pages that are not its own', async () => {
    for (const client of [browser('stranger'), browser('visitor', 'https://elsewhere.example')]) {
      expect((await client.closed).code).toBe(1006)
    }
    expect(harness.door.sessions).toBe(0)
  })

  it('ends when the service does', async () => {
    const client = browser('visitor')
    await client.next('session.created')
    await harness.door.close()
    expect(await client.closed).toEqual({ code: 1001, reason: 'the service is stopping' })
  })
})
