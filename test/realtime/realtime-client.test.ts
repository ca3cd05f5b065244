import { RealtimeClient } from 'openai-realtime-api'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { gate, RealtimeHarness, sound } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
let client: RealtimeClient
let seen: { source: string; event: { type: string } }[]
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
})
afterEach(async () => {
  client.disconnect()
  await harness.reset()
})
afterAll(() => harness.close())

async function begin(sessionConfig: object = {}): Promise<RealtimeClient> {
  seen = []
  const url = `ws://127.0.0.1:${harness.port}/v1/realtime`
  client = new RealtimeClient({ url, apiKey: 'good', model: 'lipik-realtime', sessionConfig })
  client.on('realtime.event', (happened: never) => seen.push(happened))
  await client.connect()
  await client.waitForSessionCreated()
  return client
}

const pcm = (ms: number, isLoud = true) => {
  const bytes = Buffer.from(sound(ms, isLoud), 'base64')
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
/** The client catches its own failures and loses the item, so only the items it ends up with prove anything. */
const items = () =>
  client.conversation.getItems().map(({ type, status, formatted }) => ({ type, status, ...formatted }))
const whenDone = (count: number) =>
  eventually(
    async () => seen.filter(({ event }) => event.type === 'response.done').length,
    (done) => done >= count,
  )
const errors = () => seen.filter(({ event }) => event.type === 'error')

describe('RealtimeClient', () => {
  it('holds a written conversation', async () => {
    await begin()
    client.sendUserMessageContent([{ type: 'input_text', text: 'namaste' }])
    await whenDone(1)
    expect(items()).toMatchObject([
      { type: 'message', status: 'completed', text: 'namaste' },
      { type: 'message', status: 'completed', transcript: 'You said: namaste.' },
    ])
    expect(items()[1]?.audio).toHaveLength('You said: namaste.'.length * 240)
    expect(errors()).toEqual([])
  })

  it('speaks in turns that it ends itself', async () => {
    await begin({ turn_detection: undefined })
    client.appendInputAudio(pcm(500))
    client.createResponse()
    await whenDone(1)
    await eventually(
      async () => items()[0]?.transcript,
      (text) => text === 'hello there',
    )
    expect(items()[1]).toMatchObject({ status: 'completed', transcript: 'You said: hello there.' })
    expect(errors()).toEqual([])
  })

  it('speaks in turns that are found, with exactly its own audio in them', async () => {
    await begin({ turn_detection: { type: 'server_vad' } })
    for (const part of [pcm(300, false), pcm(600), pcm(800, false)]) client.appendInputAudio(part)
    await whenDone(1)
    const [heard, spoken] = items()
    // From its own copy of what it sent, by the times it was told.
    expect(Number(heard?.audio?.length)).toBeGreaterThan(1_100 * 24)
    expect(spoken).toMatchObject({ status: 'completed', transcript: 'You said: hello there.' })
  })

  it('runs its tools and answers with what they give', async () => {
    await begin()
    client.addTool(
      { name: 'weather', description: 'Weather of a city', parameters: { type: 'object', properties: {} } },
      async ({ city }) => `${city}: sunny`,
    )
    harness.model.script = ({ turns, tools }) => {
      const result = turns.at(-1)
      if (result?.by === 'result') return says(`It is ${result.output}`)
      return tools[0]?.name === 'weather' ? calls('weather', '{"city":', '"Pune"}') : says('no tools')
    }
    client.sendUserMessageContent([{ type: 'input_text', text: 'weather?' }])
    await whenDone(2)
    expect(items().map(({ type, status }) => [type, status])).toEqual([
      ['message', 'completed'],
      ['function_call', 'completed'],
      ['function_call_output', 'completed'],
      ['message', 'completed'],
    ])
    expect(items()[3]?.transcript).toBe('It is "Pune: sunny"')
    expect(errors()).toEqual([])
  })

  it('interrupts, and what was not heard was not said', async () => {
    const pause = gate()
    harness.model.script = () => [...says('First one. Second one. And '), { kind: 'wait', until: pause.promise }]
    await begin()
    client.sendUserMessageContent([{ type: 'input_text', text: 'talk' }])
    await eventually(
      async () => items()[1]?.transcript ?? '',
      (said) => said.includes('Second'),
    )
    const [, spoken] = client.conversation.getItems()
    client.cancelResponse(spoken?.id, 110 * 24)
    await whenDone(1)
    await eventually(async () => seen.some(({ event }) => event.type === 'conversation.item.truncated'), Boolean)
    harness.model.script = () => says('Go on.')
    client.createResponse()
    await whenDone(2)
    expect(harness.model.requests[1]?.turns).toContainEqual({ by: 'assistant', text: 'First one. ' })
  })
})
