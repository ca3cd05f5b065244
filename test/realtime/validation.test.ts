import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RealtimeClient } from '../support/realtime-client.ts'
import { RealtimeHarness, sound, userText } from '../support/realtime-door.ts'
import { says } from '../support/scripted-model.ts'

let harness: RealtimeHarness
let beta: RealtimeClient
let ga: RealtimeClient
beforeAll(async () => {
  harness = await new RealtimeHarness().open()
  beta = await harness.connect('beta')
  ga = await harness.connect('ga')
})
afterAll(() => harness.close())

const update = (session: object) => ({ type: 'session.update', event_id: 'evt_1', session })
const gaUpdate = (session: object) => update({ type: 'realtime', ...session })
const create = (item: object) => ({ type: 'conversation.item.create', event_id: 'evt_1', item })
const respond = (response: object) => ({ type: 'response.create', event_id: 'evt_1', response })
const tool = (name: string) => ({ type: 'function', name })
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
const message = (role: string, ...content: object[]) => create({ type: 'message', role, content })
const truncate = (rest: object) => ({ type: 'conversation.item.truncate', event_id: 'evt_1', ...rest })

const BETA_FAULTS: [name: string, event: object, code: string, param: string | null][] = [
  ['temperature too low', update({ temperature: 0.59 }), 'decimal_below_min_value', 'session.temperature'],
  ['temperature too high', update({ temperature: 1.21 }), 'decimal_above_max_value', 'session.temperature'],
  ['temperature as text', update({ temperature: '1' }), 'invalid_type', 'session.temperature'],
  [
    'no tokens',
    update({ max_response_output_tokens: 0 }),
    'integer_below_min_value',
    'session.max_response_output_tokens',
  ],
  [
    'many tokens',
    update({ max_response_output_tokens: 4097 }),
    'integer_above_max_value',
    'session.max_response_output_tokens',
  ],
  ['tokens INF', update({ max_response_output_tokens: 'INF' }), 'invalid_value', 'session.max_response_output_tokens'],
  ['too slow', update({ speed: 0.24 }), 'decimal_below_min_value', 'session.speed'],
  ['too fast', update({ speed: 1.51 }), 'decimal_above_max_value', 'session.speed'],
  [
    'threshold below',
    update({ turn_detection: { type: 'server_vad', threshold: -0.1 } }),
    'decimal_below_min_value',
    'session.turn_detection.threshold',
  ],
  [
    'threshold above',
    update({ turn_detection: { type: 'server_vad', threshold: 1.1 } }),
    'decimal_above_max_value',
    'session.turn_detection.threshold',
  ],
  [
    'negative silence',
    update({ turn_detection: { type: 'server_vad', silence_duration_ms: -1 } }),
    'integer_below_min_value',
    'session.turn_detection.silence_duration_ms',
  ],
  [
    'fractional padding',
    update({ turn_detection: { type: 'server_vad', prefix_padding_ms: 1.5 } }),
    'invalid_type',
    'session.turn_detection.prefix_padding_ms',
  ],
  [
    'no detection type',
    update({ turn_detection: { threshold: 0.5 } }),
    'missing_required_parameter',
    'session.turn_detection.type',
  ],
  [
    'semantic_vad',
    update({ turn_detection: { type: 'semantic_vad', eagerness: 'low' } }),
    'invalid_value',
    'session.turn_detection.type',
  ],
  ['unknown voice', update({ voice: 'nobody' }), 'invalid_value', 'session.voice'],
  ['format with a dash', update({ input_audio_format: 'g711-ulaw' }), 'invalid_value', 'session.input_audio_format'],
  ['only audio', update({ modalities: ['audio'] }), 'invalid_value', 'session.modalities'],
  ['no modality', update({ modalities: [] }), 'invalid_value', 'session.modalities'],
  ['modalities as text', update({ modalities: 'text' }), 'invalid_type', 'session.modalities'],
  [
    'unknown recogniser',
    update({ input_audio_transcription: { model: 'ears' } }),
    'invalid_value',
    'session.input_audio_transcription.model',
  ],
  ['tools not a list', update({ tools: {} }), 'invalid_type', 'session.tools'],
  [
    'tool without name',
    update({ tools: [{ type: 'function' }] }),
    'missing_required_parameter',
    'session.tools[0].name',
  ],
  ['tool with a bad name', update({ tools: [tool('a b')] }), 'invalid_value', 'session.tools[0].name'],
  ['two tools of one name', update({ tools: [tool('a'), tool('a')] }), 'invalid_value', 'session.tools[1].name'],
  [
    'foreign member of a tool',
    update({ tools: [{ ...tool('a'), meta: 1 }] }),
    'unknown_parameter',
    'session.tools[0].meta',
  ],
  [
    'choice of an absent tool',
    update({ tool_choice: { type: 'function', name: 'none' } }),
    'invalid_value',
    'session.tool_choice',
  ],
  ['choice required without tools', update({ tool_choice: 'required' }), 'invalid_value', 'session.tool_choice'],
  ['another model', update({ model: 'other' }), 'invalid_value', 'session.model'],
  ['unknown member', update({ colour: 'red' }), 'unknown_parameter', 'session.colour'],
  ['null for a session', { type: 'session.update', event_id: 'evt_1', session: null }, 'invalid_type', 'session'],
  ['no session', { type: 'session.update', event_id: 'evt_1' }, 'missing_required_parameter', 'session'],
  ['null instructions', update({ instructions: null }), 'invalid_type', 'session.instructions'],
  ['17 pairs', respond({ metadata: pairs(17) }), 'object_above_max_properties', 'response.metadata'],
  [
    'a long key',
    respond({ metadata: { ['k'.repeat(65)]: 'v' } }),
    'string_above_max_length',
    `response.metadata.${'k'.repeat(65)}`,
  ],
  ['a long value', respond({ metadata: { k: 'v'.repeat(513) } }), 'string_above_max_length', 'response.metadata.k'],
  ['a number as value', respond({ metadata: { k: 1 } }), 'invalid_type', 'response.metadata.k'],
  ['unknown conversation', respond({ conversation: 'foo' }), 'invalid_value', 'response.conversation'],
  [
    'unknown reference',
    respond({ input: [{ type: 'item_reference', id: 'none' }] }),
    'invalid_value',
    'response.input[0].id',
  ],
  ['response of a wrong type', { type: 'response.create', event_id: 'evt_1', response: 1 }, 'invalid_type', 'response'],
  [
    'assistant input_text',
    message('assistant', { type: 'input_text', text: 'a' }),
    'invalid_value',
    'item.content[0].type',
  ],
  [
    'system input_audio',
    message('system', { type: 'input_audio', audio: '' }),
    'invalid_value',
    'item.content[0].type',
  ],
  ['text without text', message('user', { type: 'input_text' }), 'missing_required_parameter', 'item.content[0].text'],
  ['unknown part', message('user', { type: 'input_image' }), 'invalid_value', 'item.content[0].type'],
  ['message without role', create({ type: 'message', content: [] }), 'missing_required_parameter', 'item.role'],
  ['item without type', create({ role: 'user' }), 'missing_required_parameter', 'item.type'],
  ['reference as item', create({ type: 'item_reference', id: 'a' }), 'invalid_value', 'item.type'],
  [
    'output without output',
    create({ type: 'function_call_output', call_id: 'c' }),
    'missing_required_parameter',
    'item.output',
  ],
  [
    'output of no call',
    create({ type: 'function_call_output', call_id: 'c', output: '' }),
    'invalid_tool_call_id',
    null,
  ],
  [
    'a long call id',
    create({ type: 'function_call_output', call_id: 'c'.repeat(33), output: '' }),
    'string_above_max_length',
    'item.call_id',
  ],
  [
    'unknown predecessor',
    { ...userText('a'), event_id: 'evt_1', previous_item_id: 'none' },
    'invalid_value',
    'previous_item_id',
  ],
  [
    'retrieve nothing',
    { type: 'conversation.item.retrieve', event_id: 'evt_1', item_id: 'none' },
    'item_retrieve_invalid_item_id',
    null,
  ],
  [
    'delete nothing',
    { type: 'conversation.item.delete', event_id: 'evt_1', item_id: 'none' },
    'item_delete_invalid_item_id',
    null,
  ],
  [
    'truncate nothing',
    truncate({ item_id: 'none', content_index: 0, audio_end_ms: 0 }),
    'item_truncate_invalid_item_id',
    null,
  ],
  [
    'truncate at a fraction',
    truncate({ item_id: 'none', content_index: 0, audio_end_ms: 0.5 }),
    'invalid_type',
    'audio_end_ms',
  ],
  ['append nothing', { type: 'input_audio_buffer.append', event_id: 'evt_1' }, 'missing_required_parameter', 'audio'],
  [
    'append no base64',
    { type: 'input_audio_buffer.append', event_id: 'evt_1', audio: 'a*b=' },
    'invalid_value',
    'audio',
  ],
  ['append null', { type: 'input_audio_buffer.append', event_id: 'evt_1', audio: null }, 'invalid_type', 'audio'],
  ['commit nothing', { type: 'input_audio_buffer.commit', event_id: 'evt_1' }, 'input_audio_buffer_commit_empty', null],
  ['cancel nothing', { type: 'response.cancel', event_id: 'evt_1' }, 'response_cancel_not_active', null],
  [
    'cancel an unknown one',
    { type: 'response.cancel', event_id: 'evt_1', response_id: 'r' },
    'response_cancel_not_active',
    null,
  ],
  ['an event for WebRTC', { type: 'output_audio_buffer.clear', event_id: 'evt_1' }, 'invalid_value', 'type'],
  [
    'an event of another session',
    { type: 'transcription_session.update', event_id: 'evt_1', session: {} },
    'invalid_value',
    'type',
  ],
  ['an unknown type', { type: 'session.create', event_id: 'evt_1' }, 'invalid_value', 'type'],
  [
    'an unknown member of an event',
    { type: 'input_audio_buffer.clear', event_id: 'evt_1', now: true },
    'unknown_parameter',
    'now',
  ],
]

const GA_FAULTS: typeof BETA_FAULTS = [
  ['no type', update({ instructions: 'a' }), 'missing_required_parameter', 'session.type'],
  ['both modalities', gaUpdate({ output_modalities: ['audio', 'text'] }), 'invalid_value', 'session.output_modalities'],
  ['unknown voice', gaUpdate({ audio: { output: { voice: 'x' } } }), 'invalid_value', 'session.audio.output.voice'],
  [
    'another rate',
    gaUpdate({ audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } } } }),
    'invalid_value',
    'session.audio.input.format.rate',
  ],
  [
    'unknown format',
    gaUpdate({ audio: { output: { format: { type: 'audio/mp3' } } } }),
    'invalid_value',
    'session.audio.output.format.type',
  ],
  [
    'semantic_vad',
    gaUpdate({ audio: { input: { turn_detection: { type: 'semantic_vad' } } } }),
    'invalid_value',
    'session.audio.input.turn_detection.type',
  ],
  [
    'short idle time',
    gaUpdate({ audio: { input: { turn_detection: { type: 'server_vad', idle_timeout_ms: 4_999 } } } }),
    'integer_below_min_value',
    'session.audio.input.turn_detection.idle_timeout_ms',
  ],
  ['transcription session', update({ type: 'transcription' }), 'invalid_value', 'session.type'],
  ['unknown member', gaUpdate({ audio: { input: { gain: 1 } } }), 'unknown_parameter', 'session.audio.input.gain'],
]

describe('a fault', () => {
  it.each(BETA_FAULTS)('of beta: %s', async (_name, event, code, param) => {
    expect(await beta.fault(event)).toMatchObject({ code, param, event_id: 'evt_1' })
  })

  it.each(GA_FAULTS)('of GA: %s', async (_name, event, code, param) => {
    expect(await ga.fault(event)).toMatchObject({ code, param, event_id: 'evt_1' })
  })

  it('is told with all five members, under an id of its own', async () => {
    beta.socket.send('{')
    const first = await beta.next('error')
    beta.socket.send(Buffer.from([1, 2, 3]), { binary: true })
    const second = await beta.next('error')
    beta.socket.send('[]')
    const third = await beta.next('error')
    expect(first.error).toEqual({
      type: 'invalid_request_error',
      code: 'invalid_json',
      message: expect.any(String),
      param: null,
      event_id: null,
    })
    expect([second, third].map(({ error }) => (error as { code: string }).code)).toEqual([
      'invalid_json',
      'invalid_event',
    ])
    expect(new Set([first, second, third].map(({ event_id }) => event_id)).size).toBe(3)
  })

  it('says what to send instead of semantic_vad, and which voices there are', async () => {
    const vad = await beta.fault(update({ turn_detection: { type: 'semantic_vad' } }))
    expect(vad.message).toContain('server_vad')
    expect((await beta.fault(update({ voice: 'x' }))).message).toContain("'tara', 'neel', 'ananya'")
  })

  it('leaves the session as it was: an update is whole or nothing', async () => {
    const client = await harness.connect()
    const before = client.events[0]?.session as object
    await client.fault(update({ instructions: 'changed', tools: [tool('a')], voice: 'neel', temperature: 9 }))
    const after = (await client.ask(update({}), 'session.updated')).session
    expect(after).toEqual(before)
  })

  it('of an item id that is taken', async () => {
    const item = { id: 'mine', type: 'message', role: 'user', content: [] }
    await beta.ask(create(item), 'conversation.item.created')
    expect(await beta.fault(create(item))).toMatchObject({ code: 'item_already_exists', param: 'item.id' })
  })

  it('of a buffer that is full is no end of the session', async () => {
    const client = await harness.connect()
    await client.ask(update({ turn_detection: null }), 'session.updated')
    client.send({ type: 'input_audio_buffer.append', audio: sound(59_000, false) })
    const overflow = { type: 'input_audio_buffer.append', event_id: 'evt_2', audio: sound(2_000, false) }
    expect(await client.fault(overflow)).toMatchObject({ code: 'input_audio_buffer_full', event_id: 'evt_2' })
    client.send({ type: 'input_audio_buffer.append', audio: sound(900, false) })
    await client.ask({ type: 'input_audio_buffer.clear' }, 'input_audio_buffer.cleared')
  })
})

describe('a session', () => {
  it('shows every member of beta', () => {
    expect(beta.events[0]?.session).toMatchObject({
      id: expect.stringMatching(/^sess_/),
      object: 'realtime.session',
      model: 'lipik-realtime',
      expires_at: expect.any(Number),
      modalities: ['audio', 'text'],
      instructions: 'Be kind.',
      voice: 'tara',
      input_audio_format: 'pcm16',
      output_audio_format: 'pcm16',
      input_audio_transcription: null,
      input_audio_noise_reduction: null,
      turn_detection: {
        type: 'server_vad',
        threshold: 0.5,
        prefix_padding_ms: 300,
        silence_duration_ms: 500,
        create_response: true,
        interrupt_response: true,
        idle_timeout_ms: null,
      },
      tools: [],
      tool_choice: 'auto',
      temperature: 0.8,
      max_response_output_tokens: 'inf',
      speed: 1,
      tracing: null,
      include: null,
      prompt: null,
      client_secret: null,
    })
    expect(beta.events[0]?.session).not.toHaveProperty('audio')
  })

  it('shows both forms until the client has shown its own', async () => {
    const client = await harness.connect('ga')
    expect(client.events[0]?.session).toMatchObject({ type: 'realtime', modalities: ['audio', 'text'], audio: {} })
    const { session } = await client.ask(gaUpdate({ instructions: '' }), 'session.updated')
    expect(session).toMatchObject({ instructions: '', output_modalities: ['audio'], audio: { output: { speed: 1 } } })
    expect(session).not.toHaveProperty('modalities')
  })

  it('speaks beta with a client that updates as beta does', async () => {
    const client = await harness.connect('ga')
    const { session } = await client.ask(update({ modalities: ['text'] }), 'session.updated')
    expect(session).toMatchObject({ modalities: ['text'] })
    expect(session).not.toHaveProperty('audio')
    await client.ask(userText('a'), 'conversation.item.created')
  })

  it('understands either spelling; its own counts', async () => {
    const client = await harness.connect()
    const both = { voice: 'neel', audio: { output: { voice: 'ananya', speed: 1.25 } }, output_modalities: ['text'] }
    const { session } = await client.ask(update(both), 'session.updated')
    expect(session).toMatchObject({ voice: 'neel', speed: 1.25, modalities: ['text'] })
  })

  it('takes the names that stock clients send unasked', async () => {
    const client = await harness.connect('beta', '?model=gpt-4o-realtime-preview-2024-10-01')
    const session = {
      voice: 'verse',
      instructions: '',
      turn_detection: null,
      input_audio_transcription: { model: 'whisper-1' },
    }
    const updated = await client.ask(update(session), 'session.updated')
    expect(updated.session).toMatchObject({ voice: 'verse', turn_detection: null, instructions: '' })
    const language = await client.ask(update({ input_audio_transcription: { language: 'hi' } }), 'session.updated')
    expect(language.session).toMatchObject({
      input_audio_transcription: { model: 'whisper-1', language: 'hi', prompt: null },
    })
  })

  it('keeps its voice once it was heard', async () => {
    const client = await harness.connect()
    harness.model.script = () => says('Hello there.')
    await client.ask({ type: 'response.create' }, 'response.done')
    expect(await client.fault(update({ voice: 'neel' }))).toMatchObject({ code: 'cannot_update_voice', param: null })
    await client.ask(update({ voice: 'alloy' }), 'session.updated')
  })
})
