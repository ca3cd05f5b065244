import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually } from '../support/eventually.ts'
import { gate, RealtimeHarness, sound } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
let session: RealtimeSession
let errors: unknown[]
let heard: string[]
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
})
afterEach(async () => {
  session.close()
  await harness.reset()
})
afterAll(() => harness.close())

const weather = tool({
  name: 'weather',
  description: 'Weather of a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `${city}: sunny`,
})

async function begin(): Promise<void> {
  errors = []
  heard = []
  const agent = new RealtimeAgent({ name: 'Meera', instructions: 'Help.', tools: [weather] })
  const transport = new OpenAIRealtimeWebSocket({
    url: `ws://127.0.0.1:${harness.port}/v1/realtime?model=lipik-realtime`,
  })
  const turnDetection = { type: 'server_vad', interruptResponse: true } as const
  session = new RealtimeSession(agent, {
    transport,
    model: 'lipik-realtime',
    config: { audio: { input: { turnDetection } } },
  })
  session.on('error', (error) => errors.push(error))
  session.on('transport_event', ({ type }) => heard.push(type))
  await session.connect({ apiKey: 'good' })
  await eventually(
    async () => heard.filter((type) => type === 'session.updated').length,
    (count) => count >= 1,
  )
}

const audioOf = (ms: number, isLoud = true): ArrayBuffer => {
  const bytes = Buffer.from(sound(ms, isLoud), 'base64')
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
}
const spoken = () => session.history.filter((item) => item.type === 'message' && item.role === 'assistant')
const untilSpoken = (count: number) =>
  eventually(
    async () => spoken().filter((item) => 'status' in item && item.status === 'completed').length,
    (done) => done >= count,
  )

describe('the Agents SDK', () => {
  it('is answered', async () => {
    await begin()
    session.sendMessage('namaste')
    await untilSpoken(1)
    expect(spoken()).toMatchObject([{ content: [{ type: 'output_audio', transcript: 'You said: namaste.' }] }])
    expect(harness.model.requests[0]).toMatchObject({ instructions: 'Help.', tools: [{ name: 'weather' }] })
    expect(errors).toEqual([])
  })

  it('is heard, and told what it said', async () => {
    await begin()
    for (const [ms, isLoud] of [
      [600, true],
      [800, false],
    ] as const)
      session.sendAudio(audioOf(ms, isLoud))
    await untilSpoken(1)
    const user = () => session.history.find((item) => item.type === 'message' && item.role === 'user')
    await eventually(
      async () => JSON.stringify(user()),
      (item) => item.includes('hello there'),
    )
    expect(errors).toEqual([])
  })

  it('has its tools called', async () => {
    harness.model.script = ({ turns }) => {
      const result = turns.at(-1)
      return result?.by === 'result' ? says(`It is ${result.output}.`) : calls('weather', '{"city":"Pune"}')
    }
    await begin()
    session.sendMessage('weather?')
    await untilSpoken(1)
    expect(session.history).toContainEqual(
      expect.objectContaining({ type: 'function_call', name: 'weather', status: 'completed', output: 'Pune: sunny' }),
    )
    expect(spoken()).toMatchObject([{ content: [{ transcript: 'It is Pune: sunny.' }] }])
    expect(errors).toEqual([])
  })

  it('is interrupted by a voice', async () => {
    const pause = gate()
    harness.model.script = () => [...says('First one. Second one. And '), { kind: 'wait', until: pause.promise }]
    await begin()
    session.sendMessage('talk')
    await eventually(async () => heard.includes('response.output_audio.delta'), Boolean)
    session.sendAudio(audioOf(600))
    await eventually(async () => heard.includes('response.done'), Boolean)
    expect(heard.indexOf('input_audio_buffer.speech_started')).toBeLessThan(heard.indexOf('response.done'))
    await eventually(async () => heard.includes('conversation.item.truncated'), Boolean)
    expect(errors).toEqual([])
  })
})
