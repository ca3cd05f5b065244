import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { RealtimeClient, WireEvent } from '../support/realtime-client.ts'
import { append, RealtimeHarness, userText } from '../support/realtime-door.ts'
import { says } from '../support/scripted-model.ts'
import { checkInvariants } from './invariants.ts'

let harness: RealtimeHarness
beforeAll(async () => {
  harness = await new RealtimeHarness().open({ settings: { maxFrameBytes: 200_000 } })
})
afterAll(() => harness.close())

const TYPES = [
  ...['session.update', 'input_audio_buffer.append', 'input_audio_buffer.commit', 'input_audio_buffer.clear'],
  ...[
    'conversation.item.create',
    'conversation.item.retrieve',
    'conversation.item.truncate',
    'conversation.item.delete',
  ],
  ...['response.create', 'response.cancel', 'output_audio_buffer.clear', 'transcription_session.update'],
]
const MEMBERS = [
  'session',
  'audio',
  'item',
  'item_id',
  'response',
  'event_id',
  'previous_item_id',
  'content_index',
  'audio_end_ms',
]

/** Anything at all under names that mean something. */
const hostileFrame = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record(
        {
          type: fc.constantFrom(...TYPES),
          ...Object.fromEntries(MEMBERS.map((name) => [name, fc.jsonValue({ maxDepth: 3 })])),
        },
        { requiredKeys: ['type'] },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'null',
      '[]',
      '{"type":"session.update","session":{"__proto__":{"voice":"x"}}}',
      `{"type":"${'x'.repeat(5_000)}"}`,
      '['.repeat(5_000),
    ),
  },
)

describe('hostile input', () => {
  it('of ten thousand frames ends in errors, and in nothing else', { timeout: 300_000 }, async () => {
    const frames = fc.sample(hostileFrame, { numRuns: 10_000, seed: 7 })
    for (let at = 0; at < frames.length; at += 1_000) {
      const client = await harness.connect(at % 2_000 === 0 ? 'beta' : 'ga')
      for (const frame of frames.slice(at, at + 1_000)) client.socket.send(frame)
      client.send({ type: 'conversation.item.retrieve', item_id: 'the-end', event_id: `end-${at}` })
      await eventually(
        async () => (client.events.at(-1)?.error ?? {}) as { event_id?: string | null },
        (error) => error.event_id === `end-${at}`,
        60_000,
      )
      const codes = client.events.flatMap(({ error }) => (error ? [(error as { code: string }).code] : []))
      expect(codes.length).toBeGreaterThan(900)
      expect(codes).not.toContain('server_error')
      await client.close()
    }
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
    expect(harness.detector.openStreams()).toBe(0)
  })

  it('that is too large is closed with the code for it', async () => {
    const client = await harness.connect()
    client.socket.send('x'.repeat(300_000))
    expect((await client.closed).code).toBe(1009)
  })

  it('of a client that comes and goes leaves nothing behind', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 20; round++) {
      const clients = await Promise.all(Array.from({ length: 5 }, () => harness.connect()))
      for (const client of clients) {
        client.send(append(300), { type: 'response.create' })
        client.socket.terminate()
      }
      await Promise.all(clients.map(({ closed }) => closed))
    }
    await eventually(
      async () => harness.door.sessions,
      (open) => open === 0,
    )
    await eventually(
      async () => harness.detector.openStreams(),
      (open) => open === 0,
    )
  })
})

const TOOLS = [{ type: 'function', name: 'f', parameters: { type: 'object' } }]
const VAD = { type: 'server_vad', silence_duration_ms: 100 }

/** Sensible things in a senseless order; `#n` stands for the n-th item that was seen. */
const step = fc.constantFrom<object>(
  userText('hello'),
  { type: 'session.update', session: { modalities: ['text'], tools: TOOLS } },
  { type: 'session.update', session: { modalities: ['audio', 'text'], turn_detection: null } },
  { type: 'session.update', session: { turn_detection: VAD, input_audio_transcription: { model: 'whisper-1' } } },
  { type: 'session.update', session: { turn_detection: { ...VAD, interrupt_response: false } } },
  append(200),
  append(300, false),
  append(40),
  { type: 'input_audio_buffer.commit' },
  { type: 'input_audio_buffer.clear' },
  { type: 'response.create' },
  { type: 'response.create', response: { conversation: 'none', modalities: ['text'] } },
  { type: 'response.cancel' },
  ...[0, 1, 2].flatMap((at) => [
    { type: 'conversation.item.retrieve', item_id: `#${at}` },
    { type: 'conversation.item.delete', item_id: `#${at}` },
    { type: 'conversation.item.truncate', item_id: `#${at}`, content_index: 0, audio_end_ms: 20 },
  ]),
)

describe('any order of events', () => {
  it('keeps the promises of the protocol', { timeout: 300_000 }, async () => {
    let turn = 0
    harness.model.script = () => {
      turn++
      if (turn % 4 === 0) return [new Error('now and then it fails')]
      if (turn % 3 === 0)
        return [
          { kind: 'call', index: 0, name: 'f' },
          { kind: 'arguments', index: 0, text: '{"a":1}' },
        ]
      return says('First of all. ', 'And then more. ', 'End')
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), fc.boolean(), async (steps, isBeta) => {
        const client = await harness.connect(isBeta ? 'beta' : 'ga')
        if (!isBeta) await client.ask({ type: 'session.update', session: { type: 'realtime' } }, 'session.updated')
        for (const each of steps) client.send(resolved(each, client.events, isBeta))
        await settle(client)
        await client.close()
        checkInvariants(client.events)
      }),
      { numRuns: 40, seed: 11 },
    )
  })
})

function resolved(event: object, seen: readonly WireEvent[], isBeta: boolean): object {
  const ids = seen.flatMap(({ item }) => (item ? [(item as { id: string }).id] : []))
  const text = JSON.stringify(event).replace(/"#(\d)"/, (_, at) => JSON.stringify(ids[Number(at)] ?? 'none'))
  const parsed = JSON.parse(text)
  if (!isBeta && parsed.type === 'session.update') parsed.session.type = 'realtime'
  return parsed
}

/** Every response has ended, and everything that was sent has been dealt with. */
async function settle(client: RealtimeClient): Promise<void> {
  client.send({ type: 'conversation.item.retrieve', item_id: 'the-end', event_id: 'the-end' })
  const isDone = async () => {
    const count = (type: string) => client.events.filter((event) => event.type === type).length
    const hasEnd = client.events.some(
      ({ error }) => (error as { event_id?: string } | undefined)?.event_id === 'the-end',
    )
    return hasEnd && count('response.created') === count('response.done')
  }
  await eventually(isDone, Boolean)
}
