import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket as BetaWebSocket } from 'openai/beta/realtime/websocket'
import { OpenAIRealtimeWS as BetaWs } from 'openai/beta/realtime/ws'
import { OpenAIRealtimeWebSocket as GaWebSocket } from 'openai/realtime/websocket'
import { OpenAIRealtimeWS as GaWs } from 'openai/realtime/ws'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../support/eventually.ts'
import type { WireEvent } from '../support/realtime-client.ts'
import { append, gate, RealtimeHarness, userText } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

const MODEL = 'lipik-realtime'
let harness: RealtimeHarness
beforeAll(async () => {
  // The library's flavour for browsers takes the WebSocket of its surroundings, which Node 20 lacks.
  Object.assign(globalThis, { WebSocket })
  harness = await new RealtimeHarness().open()
})
afterEach(() => harness.reset())
afterAll(async () => {
  await harness.close()
  Reflect.deleteProperty(globalThis, 'WebSocket')
})

/** The slice of the library's four clients that is used here; they differ in types alone. */
type Stock = {
  on(event: 'event', listener: (event: WireEvent) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  send(event: never): void
  close(): void
}

const library = (key = 'good') => new OpenAI({ apiKey: key, baseURL: `http://127.0.0.1:${harness.port}/v1` })
const options = () => ({ createConnection: () => connect(harness.port, '127.0.0.1') })
const onURL = (url: URL) => {
  url.protocol = 'ws:'
}

const FLAVOURS: [name: string, dialect: 'beta' | 'ga', open: (key?: string) => Stock][] = [
  ['beta ws', 'beta', (key) => new BetaWs({ model: MODEL, options: options() }, library(key)) as never],
  ['beta websocket', 'beta', (key) => new BetaWebSocket({ model: MODEL, onURL }, library(key)) as never],
  ['GA ws', 'ga', (key) => new GaWs({ model: MODEL, options: options() }, library(key)) as never],
  ['GA websocket', 'ga', (key) => new GaWebSocket({ model: MODEL, onURL }, library(key)) as never],
]

/** What the library handed to its user, in order. */
class Recorder {
  readonly events: WireEvent[] = []
  readonly errors: Error[] = []
  readonly client: Stock
  #read = 0

  constructor(client: Stock) {
    this.client = client
    client.on('event', (event) => this.events.push(event))
    client.on('error', (error) => this.errors.push(error))
  }

  send(...events: object[]): void {
    for (const event of events) this.client.send(event as never)
  }

  async next(type: string): Promise<WireEvent> {
    const find = async () => this.events.findIndex((event, at) => at >= this.#read && event.type === type)
    const at = await eventually(find, (found) => found >= 0)
    this.#read = at + 1
    return this.events[at] as WireEvent
  }

  types(): string[] {
    const types = this.events.map(({ type }) => type)
    return types.filter((type, at) => type !== types[at - 1])
  }
}

describe.each(FLAVOURS)('openai, %s', (_name, dialect, open) => {
  const isBeta = dialect === 'beta'
  const name = (rest: string) => (isBeta ? `response.${rest}` : `response.output_${rest}`)
  const text = isBeta ? { modalities: ['text'] } : { type: 'realtime', output_modalities: ['text'] }
  const added = isBeta ? 'conversation.item.created' : 'conversation.item.added'
  const session = (rest: object) => ({ type: 'session.update', session: isBeta ? rest : { type: 'realtime', ...rest } })
  const manual = session(isBeta ? { turn_detection: null } : { audio: { input: { turn_detection: null } } })

  async function begin(): Promise<Recorder> {
    const recorder = new Recorder(open())
    await recorder.next('session.created')
    return recorder
  }

  it('writes, speaks, calls, and stops when told', async () => {
    const client = await begin()
    client.send({ type: 'session.update', session: text }, userText('namaste'), { type: 'response.create' })
    const written = await client.next('response.done')
    const part = { type: isBeta ? 'text' : 'output_text', text: 'You said: namaste.' }
    expect(written.response).toMatchObject({ status: 'completed', output: [{ status: 'completed', content: [part] }] })
    const deltas = client.events.filter(({ type }) => type === name('text.delta')).map(({ delta }) => delta)
    expect(deltas.join('')).toBe('You said: namaste.')
    const order = ['response.created', 'response.output_item.added', added, name('text.delta'), 'response.done']
    const seen = client.types()
    expect(order.map((type) => seen.lastIndexOf(type))).toEqual(
      order.map((type) => seen.lastIndexOf(type)).toSorted((a, b) => a - b),
    )

    harness.model.script = ({ turns }) =>
      turns.at(-1)?.by === 'result' ? says('Sunny.') : calls('weather', '{"city":"Pune"}')
    client.send({ type: 'response.create' })
    const called = await client.next('response.done')
    const [call] = (called.response as { output: [{ call_id: string }] }).output
    expect(call).toMatchObject({
      type: 'function_call',
      name: 'weather',
      arguments: '{"city":"Pune"}',
      status: 'completed',
    })
    const output = { type: 'function_call_output', call_id: call.call_id, output: '{"sky":"clear"}' }
    client.send({ type: 'conversation.item.create', item: output }, { type: 'response.create' })
    expect((await client.next('response.done')).response).toMatchObject({ output: [{ content: [{ text: 'Sunny.' }] }] })

    const pause = gate()
    harness.model.script = () => [...says('Half '), { kind: 'wait', until: pause.promise }]
    client.send({ type: 'response.create' })
    await client.next(name('text.delta'))
    client.send({ type: 'response.cancel' })
    expect((await client.next('response.done')).response).toMatchObject({
      status: 'cancelled',
      status_details: { reason: 'client_cancelled' },
      output: [{ status: 'incomplete' }],
    })
    expect(client.errors).toEqual([])
    client.send({ type: 'response.cancel', event_id: 'late' })
    await eventually(
      async () => client.errors.length,
      (count) => count === 1,
    )
    expect(client.errors[0]).toMatchObject({ error: { code: 'response_cancel_not_active', event_id: 'late' } })
    client.client.close()
  })

  it('hears a turn that it ends, and is cut where it stopped listening', async () => {
    const client = await begin()
    client.send(manual)
    await client.next('session.updated')
    client.send(append(400), { type: 'input_audio_buffer.commit' })
    const { item_id } = await client.next('input_audio_buffer.committed')
    client.send({ type: 'response.create' })
    const done = await client.next('response.done')
    const [spoken] = (done.response as { output: [{ id: string }] }).output
    expect(spoken).toMatchObject({
      content: [{ type: isBeta ? 'audio' : 'output_audio', transcript: 'You said: hello there.' }],
    })
    client.send({ type: 'conversation.item.truncate', item_id: spoken.id, content_index: 0, audio_end_ms: 100 })
    expect(await client.next('conversation.item.truncated')).toMatchObject({ item_id: spoken.id, audio_end_ms: 100 })
    client.send(
      { type: 'conversation.item.retrieve', item_id: spoken.id },
      { type: 'conversation.item.retrieve', item_id },
    )
    const cut = await client.next('conversation.item.retrieved')
    expect(cut.item).toMatchObject({ content: [{ transcript: 'You' }] })
    const heard = (await client.next('conversation.item.retrieved')).item as { content: [{ audio: string }] }
    expect(heard.content[0]).toMatchObject({ type: 'input_audio', transcript: 'hello there', audio: append(400).audio })
    client.client.close()
  })

  it('hears a turn by itself, and stops speaking when interrupted', async () => {
    const pause = gate()
    harness.model.script = () => [...says('One. Two. And '), { kind: 'wait', until: pause.promise }]
    const client = await begin()
    client.send(append(600), append(700, false))
    const started = await client.next('input_audio_buffer.speech_started')
    const stopped = await client.next('input_audio_buffer.speech_stopped')
    expect(stopped.item_id).toBe(started.item_id)
    await client.next(name('audio.delta'))
    client.send(append(600))
    await client.next('input_audio_buffer.speech_started')
    const at = client.events.length
    const done = await client.next('response.done')
    expect(done.response).toMatchObject({ status: 'cancelled', status_details: { reason: 'turn_detected' } })
    expect(client.events.slice(at).filter(({ type }) => type === name('audio.delta'))).toEqual([])
    client.client.close()
  })

  it('is told that its key is not good', async () => {
    const { errors } = new Recorder(open('bad'))
    await eventually(
      async () => errors.length,
      (count) => count > 0,
    )
    expect(String(errors[0])).toMatch(/401|invalid_api_key|no such key/)
  })
})
