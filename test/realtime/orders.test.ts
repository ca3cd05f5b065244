import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { append, gate, RealtimeHarness, userText } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const BETA_TEXT = { type: 'session.update', session: { modalities: ['text'] } }
const GA_TEXT = { type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } }

/** Types in order, runs of one type folded into one. */
function folded(types: readonly string[]): string[] {
  return types.filter((type, at) => type !== types[at - 1])
}

describe('orders of beta', () => {
  it('answers text with text (8.1)', async () => {
    const client = await harness.connect()
    await client.ask(BETA_TEXT, 'session.updated')
    client.send(userText('namaste'), { type: 'response.create' })
    const done = await client.next('response.done')
    expect(folded(client.types().slice(2))).toEqual([
      'conversation.item.created',
      'response.created',
      'rate_limits.updated',
      'response.output_item.added',
      'conversation.item.created',
      'response.content_part.added',
      'response.text.delta',
      'response.text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ])
    expect(done.response).toMatchObject({
      status: 'completed',
      modalities: ['text'],
      output: [{ status: 'completed', role: 'assistant', content: [{ type: 'text', text: 'You said: namaste.' }] }],
    })
  })

  it('answers in sound, its transcript ahead of it (8.2)', async () => {
    const client = await harness.connect()
    client.send(userText('hello'), { type: 'response.create' })
    await client.next('response.done')
    const types = folded(client.types().slice(2))
    expect(types.slice(0, 6)).toEqual([
      'response.created',
      'rate_limits.updated',
      'response.output_item.added',
      'conversation.item.created',
      'response.content_part.added',
      'response.audio_transcript.delta',
    ])
    expect(types.slice(-6)).toEqual([
      'response.audio.delta',
      'response.audio.done',
      'response.audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ])
    const audio = client.events.filter(({ type }) => type === 'response.audio.delta')
    const bytes = audio.map(({ delta }) => Buffer.from(String(delta), 'base64').length)
    expect(bytes.every((length) => length % 2 === 0)).toBe(true)
    expect(bytes[0]).toBe(1_920)
    expect(Math.max(...bytes)).toBeLessThanOrEqual(9_600)
    // Ten milliseconds a letter.
    expect(bytes.reduce((sum, length) => sum + length)).toBe('You said: hello.'.length * 480)
  })

  it('takes a turn that the client ends (8.3)', async () => {
    const client = await harness.connect()
    const session = { turn_detection: null, input_audio_transcription: { model: 'whisper-1' } }
    await client.ask({ type: 'session.update', session }, 'session.updated')
    client.send(append(300), append(300), { type: 'input_audio_buffer.commit' })
    const committed = await client.next('input_audio_buffer.committed')
    const created = await client.next('conversation.item.created')
    const completed = await client.next('conversation.item.input_audio_transcription.completed')
    expect(created).toMatchObject({
      previous_item_id: null,
      item: {
        id: committed.item_id,
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_audio', transcript: null }],
      },
    })
    expect(completed).toMatchObject({ item_id: committed.item_id, content_index: 0, transcript: 'hello there' })
    expect(completed.usage).toMatchObject({ type: 'tokens', input_token_details: { audio_tokens: 6 } })
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    expect(done.response).toMatchObject({ output: [{ content: [{ transcript: 'You said: hello there.' }] }] })
  })

  it('finds a turn by itself and answers it (8.4)', async () => {
    const client = await harness.connect()
    client.send(append(600), append(700, false))
    const started = await client.next('input_audio_buffer.speech_started')
    const stopped = await client.next('input_audio_buffer.speech_stopped')
    const committed = await client.next('input_audio_buffer.committed')
    const created = await client.next('conversation.item.created')
    await client.next('response.created')
    const done = await client.next('response.done')
    const ids = [started.item_id, stopped.item_id, committed.item_id, (created.item as { id: string }).id]
    expect(new Set(ids).size).toBe(1)
    expect(started.audio_start_ms).toBe(0)
    expect(Number(stopped.audio_end_ms)).toBeGreaterThanOrEqual(1_048)
    expect(Number(stopped.audio_end_ms)).toBeLessThanOrEqual(1_112)
    expect(done.response).toMatchObject({ status: 'completed' })
  })

  it('calls a function (8.5)', async () => {
    harness.model.script = () => calls('get_weather', '{"city":', '"Pune"}')
    const client = await harness.connect()
    client.send({ type: 'response.create' })
    const done = await client.next('response.done')
    expect(folded(client.types().slice(1))).toEqual([
      'response.created',
      'rate_limits.updated',
      'response.output_item.added',
      'conversation.item.created',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.done',
    ])
    const added = client.events.find(({ type }) => type === 'response.output_item.added')
    expect(added?.item).toMatchObject({ type: 'function_call', status: 'in_progress', arguments: '' })
    const call = { type: 'function_call', status: 'completed', name: 'get_weather', arguments: '{"city":"Pune"}' }
    expect(done.response).toMatchObject({ status: 'completed', output: [call] })
  })

  it('stops speaking when somebody speaks into it (8.6)', async () => {
    const pause = gate()
    harness.model.script = () => [...says('One. Two '), { kind: 'wait', until: pause.promise }, ...says('three.')]
    const client = await harness.connect()
    client.send(userText('count'), { type: 'response.create' })
    await client.next('response.audio.delta')
    const before = client.events.length
    client.send(append(200))
    const done = await client.next('response.done')
    expect(folded(client.types().slice(before)).filter((type) => type !== 'response.audio.delta')).toEqual([
      'input_audio_buffer.speech_started',
      'response.audio.done',
      'response.audio_transcript.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.done',
    ])
    expect(done.response).toMatchObject({
      status: 'cancelled',
      status_details: { type: 'cancelled', reason: 'turn_detected' },
      output: [{ status: 'incomplete' }],
    })
    pause.open()
    client.send(append(700, false))
    const next = await client.next('response.created')
    const late = client.events.slice(client.events.indexOf(done) + 1, client.events.indexOf(next))
    expect(late.filter((event) => 'response_id' in event)).toEqual([])
  })

  it('ends what the client cancels (8.7)', async () => {
    const pause = gate()
    harness.model.script = () => [{ kind: 'wait', until: pause.promise }]
    const client = await harness.connect()
    await client.ask({ type: 'response.create' }, 'response.created')
    const done = await client.ask({ type: 'response.cancel' }, 'response.done')
    expect(done.response).toMatchObject({
      status: 'cancelled',
      status_details: { reason: 'client_cancelled' },
      output: [],
    })
    expect(harness.model.aborted).toBe(1)
    expect(await client.fault({ type: 'response.cancel', event_id: 'again' })).toMatchObject({
      code: 'response_cancel_not_active',
      event_id: 'again',
    })
  })
})

describe('orders of GA', () => {
  it('answers text with text', async () => {
    const client = await harness.connect('ga')
    await client.ask(GA_TEXT, 'session.updated')
    client.send(userText('namaste'), { type: 'response.create' })
    const done = await client.next('response.done')
    expect(folded(client.types().slice(2))).toEqual([
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'rate_limits.updated',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
    ])
    expect(done.response).toMatchObject({
      output: [{ content: [{ type: 'output_text', text: 'You said: namaste.' }] }],
    })
  })

  it('speaks under the names of GA, and under no other', async () => {
    const client = await harness.connect('ga')
    client.send(userText('hello'), { type: 'response.create' })
    const done = await client.next('response.done')
    const types = new Set(client.types())
    for (const name of ['audio.delta', 'audio.done', 'audio_transcript.delta', 'audio_transcript.done']) {
      expect([name, types.has(`response.output_${name}`), types.has(`response.${name}`)]).toEqual([name, true, false])
    }
    expect(done.response).toMatchObject({
      output_modalities: ['audio'],
      audio: { output: { voice: 'tara', format: { type: 'audio/pcm', rate: 24_000 } } },
      output: [{ content: [{ type: 'output_audio', transcript: 'You said: hello.' }] }],
    })
  })

  it('makes several calls in one response', async () => {
    harness.model.script = () => [
      ...says('One moment. '),
      { kind: 'call', index: 0, name: 'first' },
      { kind: 'call', index: 1, name: 'second' },
      { kind: 'arguments', index: 1, text: '{"b":2}' },
    ]
    const client = await harness.connect('ga')
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    expect(done.response).toMatchObject({
      output: [
        { type: 'message', status: 'completed' },
        { type: 'function_call', name: 'first', arguments: '{}', status: 'completed' },
        { type: 'function_call', name: 'second', arguments: '{"b":2}', status: 'completed' },
      ],
    })
    const added = client.events.filter(({ type }) => type === 'response.output_item.added')
    expect(added.map(({ output_index }) => output_index)).toEqual([0, 1, 2])
    expect(client.types().slice(-2)).toEqual(['response.output_item.done', 'response.done'])
  })
})
