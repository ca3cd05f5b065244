import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { toBase64 } from '../../client/src/realtime/pcm.ts'
import { type AnswerPlayer, playAnswers } from '../../client/src/realtime/play-answers.ts'
import { PlaybackClock } from '../../client/src/realtime/playback-clock.ts'
import { RealtimeClient, RealtimeError, type RealtimeOptions } from '../../client/src/realtime/realtime-client.ts'
import { eventually } from '../support/eventually.ts'
import { openScriptedRealtime, type ScriptedRealtime, type ScriptedSession } from '../support/scripted-realtime.ts'

let realtime: ScriptedRealtime
beforeAll(async () => {
  realtime = await openScriptedRealtime()
})
afterAll(() => realtime.close())

const SESSION = { id: 'sess_1', model: 'lipik-realtime' }

const clientWith = (options: Partial<RealtimeOptions> = {}) =>
  new RealtimeClient({ url: realtime.url, token: 'ek_secret', WebSocket, ...options })

async function opened(client: RealtimeClient): Promise<ScriptedSession> {
  const connected = client.connect()
  const session = await realtime.session()
  session.say({ type: 'session.created', session: SESSION })
  await connected
  return session
}

const message = (id: string, role: string, status = 'in_progress') => ({
  id,
  type: 'message',
  role,
  status,
  content: [],
})
const call = (id: string, name: string, given: string, status = 'completed') => ({
  id,
  type: 'function_call',
  status,
  name,
  call_id: `call_${id}`,
  arguments: given,
})
const response = (id: string, status = 'in_progress') => ({ id, status, output: [] })

describe('opening a session', () => {
  it('gives the token as a subprotocol, then the configuration and the tools', async () => {
    const client = clientWith({ token: async () => 'ek_fresh', session: { instructions: 'be kind' } })
    client.addTool({ name: 'now', description: 'the time' }, () => 'noon')
    const connected = client.connect()
    const session = await realtime.session()
    expect(session.protocols).toEqual(['realtime', 'lipik-insecure-api-key.ek_fresh'])
    session.say({ type: 'session.created', session: SESSION })
    expect((await session.heard('session.update')).session).toEqual({
      type: 'realtime',
      instructions: 'be kind',
      tools: [{ type: 'function', name: 'now', description: 'the time' }],
    })
    session.say({ type: 'session.updated', session: { ...SESSION, instructions: 'be kind' } })
    expect(await connected).toMatchObject({ id: 'sess_1', instructions: 'be kind' })
    client.close()
  })

  it('fails with the reason that the service gives', async () => {
    const connected = clientWith().connect()
    const session = await realtime.session()
    session.say({ type: 'error', error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'no' } })
    session.close(3000, 'invalid_request_error.invalid_api_key')
    await expect(connected).rejects.toThrow('no (invalid_api_key)')
  })

  it('fails where nobody answers, and where there is no WebSocket', async () => {
    await expect(clientWith({ url: 'http://127.0.0.1:1' }).connect()).rejects.toThrow(/ECONNREFUSED/)
    const { WebSocket: _none, ...options } = { url: realtime.url, token: 'x', WebSocket: undefined }
    await expect(new RealtimeClient(options).connect()).rejects.toThrow(/package ws/)
  })

  it('tells which of two updates was refused', async () => {
    const client = clientWith()
    const session = await opened(client)
    const first = client.updateSession({ audio: { output: { voice: 'nobody' } } })
    const second = client.updateSession({ instructions: 'second' })
    const { event_id } = await session.heard('session.update')
    const fault = { type: 'invalid_request_error', code: 'invalid_value', message: 'no such voice', event_id }
    session.say({ type: 'error', error: fault }, { type: 'session.updated', session: SESSION })
    await expect(first).rejects.toThrow(RealtimeError)
    expect(await second).toEqual(SESSION)
    client.close()
  })
})

describe('a conversation', () => {
  it('is told as it grows, and kept in its order', async () => {
    const client = clientWith()
    const session = await opened(client)
    const told: string[] = []
    client.on('conversation.item.appended', ({ item }) => told.push(`+${item.id}`))
    client.on('conversation.updated', ({ item, delta }) => told.push(`${item.id}:${delta.text ?? ''}`))
    client.on('conversation.item.completed', ({ item }) => told.push(`.${item.id}`))
    const part = { response_id: 'r1', item_id: 'a1', output_index: 0, content_index: 0 }
    session.say(
      // A transcript that overtakes its item is not lost.
      { type: 'conversation.item.input_audio_transcription.delta', item_id: 'u1', content_index: 0, delta: 'नम' },
      { type: 'conversation.item.added', previous_item_id: null, item: message('u1', 'user', 'completed') },
      {
        type: 'conversation.item.input_audio_transcription.completed',
        item_id: 'u1',
        content_index: 0,
        transcript: 'नमस्ते',
      },
      { type: 'response.created', response: response('r1') },
      { type: 'response.output_item.added', response_id: 'r1', item: message('a1', 'assistant') },
      { type: 'conversation.item.added', previous_item_id: 'u1', item: message('a1', 'assistant') },
      { type: 'response.output_audio_transcript.delta', ...part, delta: 'Hello' },
      { type: 'response.output_audio_transcript.delta', ...part, delta: ' there' },
      { type: 'response.output_audio.delta', ...part, delta: toBase64(new Int16Array(2400)) },
      { type: 'response.output_item.done', response_id: 'r1', item: message('a1', 'assistant', 'completed') },
      { type: 'conversation.item.done', item: message('a1', 'assistant', 'completed') },
      { type: 'conversation.item.added', previous_item_id: 'u1', item: message('between', 'system', 'completed') },
    )
    await eventually(
      async () => client.conversation.items.length,
      (count) => count === 3,
    )
    expect(told).toEqual(['+u1', 'u1:', '+a1', 'a1:Hello', 'a1: there', 'a1:', '.a1', '+between'])
    expect(client.conversation.items.map(({ id, text, audioMs }) => [id, text, audioMs])).toEqual([
      ['u1', 'नमस्ते', 0],
      ['between', '', 0],
      ['a1', 'Hello there', 100],
    ])
    client.close()
  })

  it('is heard whole, both ways, by a listener of all events', async () => {
    const client = clientWith()
    const seen: string[] = []
    client.on('realtime.event', ({ source, event }) => seen.push(`${source} ${event.type}`))
    const session = await opened(client)
    client.sendText('hi')
    client.appendAudio(new Int16Array([1, -2]))
    client.commitAudio({ respond: false })
    expect((await session.heard('input_audio_buffer.append')).audio).toBe(
      Buffer.from([1, 0, 254, 255]).toString('base64'),
    )
    session.say({ type: 'rate_limits.updated', rate_limits: [] })
    await eventually(
      async () => seen.at(-1),
      (last) => last === 'server rate_limits.updated',
    )
    expect(seen).toEqual([
      'server session.created',
      'client conversation.item.create',
      'client response.create',
      'client input_audio_buffer.append',
      'client input_audio_buffer.commit',
      'server rate_limits.updated',
    ])
    client.close()
  })

  it('tells its end', async () => {
    const client = clientWith()
    const session = await opened(client)
    const closed = new Promise((resolve) => client.on('close', resolve))
    const update = client.updateSession({})
    session.close(1001, 'session_expired')
    expect(await closed).toEqual({ code: 1001, reason: 'session_expired' })
    await expect(update).rejects.toThrow(/1001 session_expired/)
    expect(() => client.sendText('too late')).toThrow(/not open/)
  })
})

describe('tools', () => {
  it('are run with their arguments; the next response is asked for once, when all outputs are out', async () => {
    const client = clientWith()
    const calls: unknown[] = []
    client.on('function_call', ({ name, arguments: given }) => calls.push([name, given]))
    const session = await opened(client)
    client.addTool({ name: 'add' }, async ({ a, b }) => ({ sum: Number(a) + Number(b) }))
    client.addTool({ name: 'fail' }, () => {
      throw new Error('no such city')
    })
    session.say(
      { type: 'response.created', response: response('r1') },
      { type: 'response.output_item.done', response_id: 'r1', item: call('1', 'add', '{"a":1,"b":2}') },
      { type: 'response.output_item.done', response_id: 'r1', item: call('2', 'fail', '') },
      { type: 'response.output_item.done', response_id: 'r1', item: call('3', 'add', '{"a":', 'incomplete') },
    )
    const outputs = [await session.heard('conversation.item.create'), await session.heard('conversation.item.create')]
    const byCall = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))
    expect(outputs.map(({ item }) => ({ ...Object(item) })).toSorted(byCall)).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: '{"sum":3}' },
      { type: 'function_call_output', call_id: 'call_2', output: '{"error":"no such city"}' },
    ])
    expect(session.received.filter(({ type }) => type === 'response.create')).toEqual([])
    session.say({ type: 'response.done', response: response('r1', 'completed') })
    await session.heard('response.create')
    const updated = { type: 'session.updated', session: SESSION }
    const update = client.updateSession({})
    session.say(updated, updated, updated)
    await update
    expect(session.received.filter(({ type }) => type === 'response.create')).toHaveLength(1)
    expect(calls).toEqual([
      ['add', { a: 1, b: 2 }],
      ['fail', {}],
    ])
    client.close()
  })

  it('wait with their response until the one that runs has ended', async () => {
    const client = clientWith()
    const session = await opened(client)
    let finish = (_: string) => {}
    client.addTool(
      { name: 'slow' },
      () =>
        new Promise<string>((resolve) => {
          finish = resolve
        }),
    )
    session.say(
      { type: 'response.created', response: response('r1') },
      { type: 'response.output_item.done', response_id: 'r1', item: call('1', 'slow', '{}') },
      { type: 'response.done', response: response('r1', 'completed') },
      { type: 'response.created', response: response('r2') },
    )
    await eventually(
      async () => client.conversation.items.length,
      (count) => count === 1,
    )
    finish('at last')
    await session.heard('conversation.item.create')
    expect(session.received.some(({ type }) => type === 'response.create')).toBe(false)
    session.say({ type: 'response.done', response: response('r2', 'completed') })
    await session.heard('response.create')
    client.close()
  })
})

describe('an interruption', () => {
  it('silences the player and tells the service how much was heard', async () => {
    const client = clientWith()
    const session = await opened(client)
    const clock = new PlaybackClock()
    let now = 10
    let played = 0
    const player: AnswerPlayer = {
      play: (itemId, contentIndex, pcm) => {
        played += pcm.length
        clock.add(itemId, contentIndex, pcm.length, now)
      },
      interrupt() {
        const heard = clock.heard(now)
        clock.clear()
        return heard
      },
    }
    playAnswers(client, player)
    const delta = toBase64(new Int16Array(24_000))
    const part = { response_id: 'r1', item_id: 'a1', output_index: 0, content_index: 0 }
    session.say(
      { type: 'conversation.item.added', previous_item_id: null, item: message('a1', 'assistant') },
      { type: 'response.output_audio.delta', ...part, delta },
      { type: 'response.output_audio.delta', ...part, delta },
    )
    await eventually(
      async () => played,
      (samples) => samples === 48_000,
    )
    now = 11.25
    session.say(
      { type: 'input_audio_buffer.speech_started', item_id: 'u2', audio_start_ms: 0 },
      { type: 'response.output_audio.delta', ...part, delta },
    )
    expect(await session.heard('conversation.item.truncate')).toMatchObject({
      item_id: 'a1',
      content_index: 0,
      audio_end_ms: 1200,
    })
    await eventually(
      async () => client.conversation.item('a1')?.audioMs,
      (ms) => ms === 3000,
    )
    expect(played).toBe(48_000)
    client.close()
  })

  it('by a button cancels the answer, and plays nothing of it that is still on its way', async () => {
    const client = clientWith()
    const session = await opened(client)
    let played = 0
    const player: AnswerPlayer = { play: () => void played++, interrupt: () => undefined }
    playAnswers(client, player)
    const part = { response_id: 'r1', item_id: 'a1', output_index: 0, content_index: 0 }
    const delta = { type: 'response.output_audio.delta', ...part, delta: toBase64(new Int16Array(24_000)) } as const
    const item = { ...message('a1', 'assistant'), status: 'in_progress' } as const
    session.say({ type: 'conversation.item.added', previous_item_id: null, item })
    await eventually(
      async () => client.conversation.item('a1')?.status,
      (status) => status === 'in_progress',
    )
    client.interrupt()
    await session.heard('response.cancel')
    session.say(delta)
    await eventually(
      async () => client.conversation.item('a1')?.audioMs,
      (ms) => ms === 1000,
    )
    expect(played).toBe(0)
    client.close()
  })
})
