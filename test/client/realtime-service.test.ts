import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { LipikClient } from '../../client/src/lipik-client.ts'
import { fromBase64 } from '../../client/src/realtime/pcm.ts'
import { playAnswers } from '../../client/src/realtime/play-answers.ts'
import { RealtimeClient, type RealtimeOptions } from '../../client/src/realtime/realtime-client.ts'
import { eventually } from '../support/eventually.ts'
import { gate, RealtimeHarness, sound } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
const open: RealtimeClient[] = []
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
})
afterEach(async () => {
  for (const client of open.splice(0)) client.close()
  await harness.reset()
})
afterAll(() => harness.close())

function clientWith(options: Partial<RealtimeOptions> = {}): RealtimeClient {
  const client = new RealtimeClient({ url: `http://127.0.0.1:${harness.port}`, token: 'good', WebSocket, ...options })
  open.push(client)
  return client
}

/** The last item that ended, once the conversation has that many. */
const itemsOf = (client: RealtimeClient, count: number) =>
  eventually(
    async () => client.conversation.items.filter(({ status }) => status !== 'in_progress'),
    (items) => items.length >= count,
  )

describe("a session with the service's own door", () => {
  it('is configured, and answers text with text', async () => {
    const client = clientWith({ session: { output_modalities: ['text'], instructions: 'Be brief.' } })
    expect(await client.connect()).toMatchObject({ output_modalities: ['text'], instructions: 'Be brief.' })
    client.sendText('नमस्ते')
    const [user, assistant] = await itemsOf(client, 2)
    expect([user?.role, user?.text]).toEqual(['user', 'नमस्ते'])
    expect([assistant?.role, assistant?.text]).toEqual(['assistant', 'You said: नमस्ते.'])
  })

  it('is refused without a good key, and with a voice nobody has', async () => {
    await expect(clientWith({ token: 'bad' }).connect()).rejects.toThrow(/invalid_api_key/)
    const voice = { audio: { output: { voice: 'nobody' } } }
    await expect(clientWith({ session: voice }).connect()).rejects.toThrow(/invalid_value/)
  })

  it('runs tools, and the model answers with what they gave', async () => {
    harness.model.script = ({ turns }) => {
      const last = turns.at(-1)
      return last?.by === 'result' ? says(`It is ${last.output}.`) : calls('weather', '{"city":', '"Delhi"}')
    }
    const client = clientWith({ session: { output_modalities: ['text'] } })
    const heard: unknown[] = []
    client.on('function_call', ({ name, arguments: given }) => heard.push([name, given]))
    client.addTool({ name: 'weather', parameters: { type: 'object' } }, ({ city }) => `hot in ${city}`)
    await client.connect()
    client.sendText('how is the weather?')
    const items = await itemsOf(client, 4)
    expect(items.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call_output', 'message'])
    expect(items.at(-1)?.text).toBe('It is hot in Delhi.')
    expect(heard).toEqual([['weather', { city: 'Delhi' }]])
  })

  it('hears a spoken turn, answers in sound, and knows what was heard when it is interrupted', async () => {
    const held = gate()
    harness.model.script = () => [...says('A long answer that goes on. And on '), { kind: 'wait', until: held.promise }]
    const client = clientWith({ session: { audio: { input: { transcription: { model: 'whisper-1' } } } } })
    await client.connect()
    let playedMs = 0
    playAnswers(client, {
      play: (_item, _part, pcm) => {
        playedMs += pcm.length / 24
      },
      interrupt: () => {
        const item = client.conversation.items.find(({ role }) => role === 'assistant')
        return item && { itemId: item.id, contentIndex: 0, playedMs: 120 }
      },
    })
    const speak = () => {
      for (let at = 0; at < 10; at++) client.appendAudio(fromBase64(sound(100)))
      for (let at = 0; at < 10; at++) client.appendAudio(fromBase64(sound(100, false)))
    }
    const truncated: unknown[] = []
    client.on('realtime.event', ({ source, event }) => {
      if (source === 'server' && event.type === 'conversation.item.truncated') truncated.push(event.audio_end_ms)
    })
    speak()
    await eventually(
      async () => playedMs,
      (ms) => ms >= 200,
    )
    await eventually(
      async () => client.conversation.items[0]?.text,
      (text) => text === 'hello there',
    )
    speak()
    await eventually(
      async () => truncated,
      (all) => all.length > 0,
    )
    expect(truncated[0]).toBe(120)
    held.open()
  })
})

describe('a token for a browser', () => {
  it('is asked of the service in its own form', async () => {
    const asked: unknown[] = []
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      asked.push([String(url), init?.method, JSON.parse(String(init?.body))])
      return Response.json({ value: 'ek_1', expires_at: 1, session: { id: 'sess_1' } })
    }
    const lipik = new LipikClient({ url: 'http://127.0.0.1:9', token: 't', fetch })
    const session = { audio: { output: { voice: 'tara' } } }
    expect((await lipik.realtime.createToken({ ttlSeconds: 60, session })).value).toBe('ek_1')
    const body = { expires_after: { anchor: 'created_at', seconds: 60 }, session: { type: 'realtime', ...session } }
    expect(asked).toEqual([['http://127.0.0.1:9/v1/realtime/client_secrets', 'POST', body]])
  })
})
