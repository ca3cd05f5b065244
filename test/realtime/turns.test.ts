import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LipikError } from '../../src/platform/errors.ts'
import type { RealtimeClient, WireEvent } from '../support/realtime-client.ts'
import { append, gate, RealtimeHarness, sound, userText } from '../support/realtime-door.ts'
import { calls, says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
beforeAll(async () => {
  harness = await new RealtimeHarness().open({ limits: { backchannelMs: 400, maxTurnMs: 5_000 } })
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const update = (session: object) => ({ type: 'session.update', session })
const retrieve = (item_id: unknown) => ({ type: 'conversation.item.retrieve', item_id })
const COMMIT = { type: 'input_audio_buffer.commit' }
const MANUAL = update({ turn_detection: null })
const HEARING = { input_audio_transcription: { model: 'whisper-1' } }
const LISTENING = update({ ...HEARING, turn_detection: { type: 'server_vad', create_response: false } })

async function bytesOf(client: RealtimeClient, itemId: unknown): Promise<number> {
  const { item } = await client.ask(retrieve(itemId), 'conversation.item.retrieved')
  const { content } = item as { content: [{ audio: string }] }
  return Buffer.from(content[0].audio, 'base64').length
}

describe('the buffer', () => {
  it('keeps half a sample for the next append', async () => {
    const client = await harness.connect()
    await client.ask(MANUAL, 'session.updated')
    const bytes = Buffer.from(sound(200), 'base64')
    for (const part of [bytes.subarray(0, 4_801), bytes.subarray(4_801, 4_802), bytes.subarray(4_802)]) {
      client.send({ type: 'input_audio_buffer.append', audio: part.toString('base64') })
    }
    const { item_id } = await client.ask(COMMIT, 'input_audio_buffer.committed')
    const { item } = await client.ask(retrieve(item_id), 'conversation.item.retrieved')
    expect(item).toMatchObject({ content: [{ type: 'input_audio', audio: bytes.toString('base64') }] })
  })

  it('is empty after a clear, and after a commit', async () => {
    const client = await harness.connect()
    await client.ask(MANUAL, 'session.updated')
    client.send(append(500))
    await client.ask({ type: 'input_audio_buffer.clear' }, 'input_audio_buffer.cleared')
    expect((await client.fault(COMMIT)).code).toBe('input_audio_buffer_commit_empty')
    client.send(append(99))
    expect((await client.fault(COMMIT)).code).toBe('input_audio_buffer_commit_empty')
    client.send(append(1))
    const { item_id } = await client.ask(COMMIT, 'input_audio_buffer.committed')
    expect(await bytesOf(client, item_id)).toBe(4_800)
    expect((await client.fault(COMMIT)).code).toBe('input_audio_buffer_commit_empty')
  })

  it.each(['g711_ulaw', 'g711_alaw'])('takes and gives %s', async (format) => {
    const client = await harness.connect()
    const session = { input_audio_format: format, output_audio_format: format, turn_detection: null }
    await client.ask(update(session), 'session.updated')
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(1_600, 0xd5).toString('base64') })
    const { item_id } = await client.ask(COMMIT, 'input_audio_buffer.committed')
    expect(await bytesOf(client, item_id)).toBe(1_600)
    harness.model.script = () => says('0123456789.')
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    const deltas = client.events.filter(({ type }) => type === 'response.audio.delta')
    const length = deltas.reduce((sum, { delta }) => sum + Buffer.from(String(delta), 'base64').length, 0)
    expect([Buffer.from(String(deltas[0]?.delta), 'base64').length, length]).toEqual([320, 880])
    const [spoken] = (done.response as { output: [{ id: string }] }).output
    const past = { type: 'conversation.item.truncate', item_id: spoken.id, content_index: 0, audio_end_ms: 400 }
    expect((await client.fault(past)).param).toBe('audio_end_ms')
  })
})

describe('a turn', () => {
  it('is exactly the audio between the times that are told', async () => {
    const client = await harness.connect()
    await client.ask(LISTENING, 'session.updated')
    client.send(append(1_000, false))
    for (const [from, to] of [
      [700, 2_124],
      [2_340, 3_764],
    ] as const) {
      client.send(append(640), append(1_000, false))
      const started = await client.next('input_audio_buffer.speech_started')
      const stopped = await client.next('input_audio_buffer.speech_stopped')
      const { item_id } = await client.next('input_audio_buffer.committed')
      expect([started.item_id, stopped.item_id]).toEqual([item_id, item_id])
      const [start, end] = [Number(started.audio_start_ms), Number(stopped.audio_end_ms)]
      expect(Math.abs(start - from)).toBeLessThanOrEqual(32)
      expect(Math.abs(end - to)).toBeLessThanOrEqual(32)
      expect(await bytesOf(client, item_id)).toBe((end - start) * 48)
    }
    expect(client.types()).not.toContain('response.created')
  })

  it('may come twice in one append, each with its own audio', async () => {
    const client = await harness.connect()
    await client.ask(LISTENING, 'session.updated')
    const parts = [sound(640), sound(1_000, false), sound(640), sound(1_000, false)]
    const audio = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))).toString('base64')
    client.send({ type: 'input_audio_buffer.append', audio })
    const first = await client.next('conversation.item.input_audio_transcription.completed')
    const second = await client.next('conversation.item.input_audio_transcription.completed')
    const turns = client.events.filter(({ type }) => type === 'input_audio_buffer.committed')
    expect([first.item_id, second.item_id]).toEqual(turns.map(({ item_id }) => item_id))
    expect(turns[1]?.previous_item_id).toBe(turns[0]?.item_id)
  })

  it('is closed by a commit under the id it was announced with', async () => {
    const client = await harness.connect()
    client.send(append(600))
    const { item_id } = await client.next('input_audio_buffer.speech_started')
    const committed = await client.ask(COMMIT, 'input_audio_buffer.committed')
    expect(committed.item_id).toBe(item_id)
    client.send(append(900, false))
    await client.ask({ type: 'input_audio_buffer.clear' }, 'input_audio_buffer.cleared')
    expect(client.types()).not.toContain('input_audio_buffer.speech_stopped')
    expect(client.types()).not.toContain('response.created')
  })

  it('is forgotten by a clear, and the next one is announced again', async () => {
    const client = await harness.connect()
    client.send(append(600))
    const first = await client.next('input_audio_buffer.speech_started')
    await client.ask({ type: 'input_audio_buffer.clear' }, 'input_audio_buffer.cleared')
    client.send(append(600))
    const second = await client.next('input_audio_buffer.speech_started')
    expect(second.item_id).not.toBe(first.item_id)
    expect(Number(second.audio_start_ms)).toBeGreaterThanOrEqual(600)
  })

  it('ends after the longest time, though somebody still speaks', async () => {
    const client = await harness.connect()
    await client.ask(LISTENING, 'session.updated')
    client.send(append(6_000))
    const { audio_end_ms } = await client.next('input_audio_buffer.speech_stopped')
    expect(Math.abs(Number(audio_end_ms) - 5_000)).toBeLessThanOrEqual(64)
  })

  it('that is short does not interrupt, one that lasts does', async () => {
    const pause = gate()
    harness.model.script = () => [...says('A long story. And '), { kind: 'wait', until: pause.promise }]
    const client = await harness.connect()
    client.send(userText('tell'), { type: 'response.create' })
    await client.next('response.audio.delta')
    client.send(append(250), append(800, false))
    await client.ask(retrieve((client.events[1]?.item as { id: string }).id), 'conversation.item.retrieved')
    expect(client.types()).not.toContain('input_audio_buffer.speech_started')
    client.send(append(600))
    await client.next('input_audio_buffer.speech_started')
    expect((await client.next('response.done')).response).toMatchObject({ status: 'cancelled' })
  })

  it('goes on beside a response that is not to be interrupted, and is told that one runs', async () => {
    const pause = gate()
    harness.model.script = () => [{ kind: 'wait', until: pause.promise }, ...says('Done.')]
    const client = await harness.connect()
    await client.ask(update({ turn_detection: { type: 'server_vad', interrupt_response: false } }), 'session.updated')
    await client.ask({ type: 'response.create' }, 'response.created')
    client.send(append(600), append(800, false))
    const { error } = await client.next('error')
    expect(error).toMatchObject({ code: 'conversation_already_has_active_response', event_id: null })
    pause.open()
    expect((await client.next('response.done')).response).toMatchObject({ status: 'completed' })
  })

  it('that cannot be heard is told as failed, and fails its response', async () => {
    harness.transcriber.failure = new LipikError('engine_crashed', 'the engine died')
    const client = await harness.connect()
    await client.ask(update(HEARING), 'session.updated')
    client.send(append(600), append(800, false))
    const failed = await client.next('conversation.item.input_audio_transcription.failed')
    expect(failed.error).toMatchObject({ code: 'engine_crashed' })
    expect((await client.next('response.done')).response).toMatchObject({
      status: 'failed',
      status_details: { type: 'failed', error: { code: 'engine_crashed' } },
    })
  })

  it('of silence is made when nobody speaks for as long as GA asks', async () => {
    const client = await harness.connect('ga')
    const turn_detection = { type: 'server_vad', idle_timeout_ms: 5_000 }
    await client.ask(
      update({ type: 'realtime', output_modalities: ['text'], audio: { input: { turn_detection } } }),
      'session.updated',
    )
    await client.ask({ type: 'response.create' }, 'response.done')
    const { item_id } = await client.next('input_audio_buffer.timeout_triggered')
    expect((await client.next('input_audio_buffer.committed')).item_id).toBe(item_id)
    await client.next('response.done')
  })
})

describe('a conversation', () => {
  const item = (id: string) => ({ id, type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] })
  const insert = (id: string, previous_item_id?: string) => ({
    type: 'conversation.item.create',
    item: item(id),
    previous_item_id,
  })

  it('keeps the order it is told', async () => {
    const client = await harness.connect()
    await client.ask(update({ modalities: ['text'] }), 'session.updated')
    const previous: unknown[] = []
    for (const event of [insert('b'), insert('a', 'root'), insert('d'), insert('c', 'b')]) {
      previous.push((await client.ask(event, 'conversation.item.created')).previous_item_id)
    }
    expect(previous).toEqual([null, null, 'b', 'b'])
    await client.ask({ type: 'conversation.item.delete', item_id: 'c' }, 'conversation.item.deleted')
    await client.ask({ type: 'response.create' }, 'response.done')
    expect(harness.model.requests[0]?.turns.map((turn) => 'text' in turn && turn.text)).toEqual(['a', 'b', 'd'])
  })

  it('remembers only what was heard of a reply', async () => {
    harness.model.script = () => says('First one. ', 'Second one here. ', 'Third.')
    const client = await harness.connect()
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    const [{ id }] = (done.response as { output: [{ id: string }] }).output
    const cut = { type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 200 }
    expect(await client.ask(cut, 'conversation.item.truncated')).toMatchObject({
      item_id: id,
      content_index: 0,
      audio_end_ms: 200,
    })
    const { item } = await client.ask(retrieve(id), 'conversation.item.retrieved')
    expect(item).toMatchObject({ status: 'completed', content: [{ type: 'audio', transcript: 'First one. Second' }] })
    expect(await bytesOf(client, id)).toBe(200 * 48)
    expect((await client.fault({ ...cut, audio_end_ms: 451 })).message).toContain('already shorter than')
    await client.ask({ ...cut, audio_end_ms: 450 }, 'conversation.item.truncated')
    expect((await client.fault({ ...cut, content_index: 1 })).code).toBe('unsupported_content_type')
    await client.ask({ type: 'response.create' }, 'response.done')
    expect(harness.model.requests[1]?.turns).toEqual([{ by: 'assistant', text: 'First one. Second' }])
  })

  it('has its call before anybody hears of it: an answer at once is taken', async () => {
    harness.model.script = ({ turns }) =>
      turns.some(({ by }) => by === 'result') ? says('It is sunny.') : calls('weather', '{}')
    const client = await harness.connect()
    client.send({ type: 'response.create' })
    const { item } = await client.next('response.output_item.added')
    const output = { type: 'function_call_output', call_id: (item as { call_id: string }).call_id, output: '"sunny"' }
    await client.ask({ type: 'conversation.item.create', item: output }, 'conversation.item.created')
    await client.next('response.done')
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    expect(done.response).toMatchObject({ output: [{ content: [{ transcript: 'It is sunny.' }] }] })
    expect(harness.model.requests[1]?.turns.map(({ by }) => by)).toEqual(['call', 'result'])
  })
})

describe('a response', () => {
  const respond = (response: object) => ({ type: 'response.create', response })

  it('does as it is told, for this once', async () => {
    const client = await harness.connect()
    const response = {
      modalities: ['text'],
      instructions: 'Shout.',
      max_output_tokens: 7,
      metadata: { a: 'b' },
      voice: null,
    }
    const created = await client.ask(respond(response), 'response.created')
    const done = await client.next('response.done')
    expect([created, done]).toMatchObject([
      { response: { metadata: { a: 'b' } } },
      { response: { metadata: { a: 'b' } } },
    ])
    expect(harness.model.requests[0]).toMatchObject({ instructions: 'Shout.', maxTokens: 7 })
    await client.ask({ type: 'response.create' }, 'response.done')
    expect(harness.model.requests[1]).toMatchObject({ instructions: 'Be kind.' })
    expect(harness.model.requests[1]).not.toHaveProperty('maxTokens')
  })

  it('beside the conversation leaves nothing in it', async () => {
    const pause = gate()
    harness.model.script = () => [...says('Aside.'), { kind: 'wait', until: pause.promise }]
    const client = await harness.connect()
    const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'psst' }] }]
    const aside = respond({ conversation: 'none', modalities: ['text'], input })
    const first = await client.ask(aside, 'response.created')
    await client.ask(respond({ modalities: ['text'] }), 'response.created')
    expect(first.response).toMatchObject({ conversation_id: null })
    expect((await client.fault({ type: 'response.create' })).code).toBe('conversation_already_has_active_response')
    const { id } = first.response as { id: string }
    const done = await client.ask({ type: 'response.cancel', response_id: id }, 'response.done')
    expect(done.response).toMatchObject({ id, status: 'cancelled' })
    pause.open()
    await client.next('response.done')
    const items = client.events.filter(({ type }) => type === 'conversation.item.created')
    expect(items).toHaveLength(1)
    expect(harness.model.requests[0]?.turns).toEqual([{ by: 'caller', text: 'psst' }])
  })

  it.each<[string, () => void, object]>([
    [
      'a model that fails',
      () => fail(new LipikError('engine_timeout', 'too slow')),
      { status: 'failed', status_details: { error: { code: 'engine_timeout' } } },
    ],
    [
      'a model that has had enough',
      () => fail(new LipikError('quota_exceeded', 'later')),
      { status: 'failed', status_details: { error: { code: 'rate_limit_exceeded' } } },
    ],
    [
      'a mistake of ours',
      () => fail(new TypeError('x is undefined')),
      { status: 'failed', status_details: { error: { code: 'server_error' } } },
    ],
    [
      'arguments that are no JSON',
      () => script(calls('f', '{"a":')),
      { status: 'failed', output: [{ type: 'function_call', status: 'incomplete' }] },
    ],
    [
      'a limit of length',
      () => script([...says('Half a '), { kind: 'end', reason: 'length' }]),
      { status: 'incomplete', status_details: { reason: 'max_output_tokens' } },
    ],
    [
      'a filter',
      () => script([{ kind: 'end', reason: 'filtered' }]),
      { status: 'incomplete', status_details: { reason: 'content_filter' } },
    ],
    [
      'a voice that fails',
      () => Object.assign(harness.synthesizer, { failure: new LipikError('engine_crashed', 'hoarse') }),
      { status: 'failed', output: [{ status: 'incomplete' }] },
    ],
  ])('ends once with %s, and the session goes on', async (_name, prepare, expected) => {
    prepare()
    const client = await harness.connect()
    expect((await client.ask({ type: 'response.create' }, 'response.done')).response).toMatchObject(expected)
    harness.model.reset()
    harness.synthesizer.reset()
    expect((await client.ask({ type: 'response.create' }, 'response.done')).response).toMatchObject({
      status: 'completed',
    })
    expect(client.types().filter((type) => type === 'response.done')).toHaveLength(2)
    expect(client.types()).not.toContain('error')
  })

  it('keeps what a model thinks to itself', async () => {
    script(says('<think>secret</think>Hello **you**.'))
    const client = await harness.connect()
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    expect(done.response).toMatchObject({ output: [{ content: [{ transcript: 'Hello you.' }] }] })
  })

  it('asks a beta client for one call at a time', async () => {
    script([
      { kind: 'call', index: 0, name: 'a' },
      { kind: 'call', index: 1, name: 'b' },
    ])
    const client = await harness.connect()
    const done = await client.ask({ type: 'response.create' }, 'response.done')
    expect((done.response as { output: WireEvent[] }).output).toHaveLength(1)
  })

  const script = (steps: ReturnType<typeof harness.model.script>) => {
    harness.model.script = () => steps
  }
  const fail = (error: Error) => script([error])
})
