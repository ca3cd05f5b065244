import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childrenOf } from '../support/child-processes.ts'
import { eventually } from '../support/eventually.ts'
import type { RealtimeClient, WireEvent } from '../support/realtime-client.ts'
import {
  appendsOf,
  heardSamples,
  openSpokenService,
  type SpokenService,
  silence,
  speak,
} from '../support/spoken-service.ts'

const PATIENCE_MS = 180_000

const TOOLS = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Tells the weather of a city. मौसम बताता है।',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    type: 'function',
    name: 'book_taxi',
    description: 'Books a taxi for somebody. टैक्सी मँगवाता है।',
    parameters: { type: 'object', properties: { passengers: { type: 'integer' } }, required: ['passengers'] },
  },
]

type Call = { readonly type: string; readonly name: string; readonly call_id: string; readonly arguments: string }

const CALLS = [
  {
    language: 'en',
    voice: 'tara',
    question: 'What is the weather in Mumbai today?',
    city: /^mumbai$/i,
    result: { condition: 'sunny', temperature: '31 degrees' },
    answer: [/sunny/i, /31|thirty[ -]?one/i],
  },
  {
    language: 'hi',
    voice: 'ananya',
    question: 'दिल्ली में मौसम कैसा है?',
    city: /^दिल्ली$/,
    result: { temperature: '31 डिग्री' },
    answer: [/तापमान/, /31|इकत्तीस|इकतीस|इकत्तिस/],
  },
] as const

/** Voice activity and language: what a turn needs before anything else. */
const FIRST_ENGINES = ['silero', 'whisper']

let service: SpokenService

/** The programs of the engine processes that run now. */
async function enginesRunning(): Promise<string[]> {
  const children = await childrenOf(process.pid)
  const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return commands.flatMap((command) => /(\w+)-child\.[jt]s/.exec(command)?.[1] ?? []).sort()
}

beforeAll(async () => {
  service = await openSpokenService()
}, PATIENCE_MS)
afterAll(() => service.close())

async function waitFor(client: RealtimeClient, type: string, count = 1): Promise<WireEvent> {
  const found = await eventually(
    async () => client.events.filter((event) => event.type === type || event.type === 'error'),
    (events) => events.length >= count || events.some((event) => event.type === 'error'),
    PATIENCE_MS,
  )
  const last = found.at(-1)
  if (!last || last.type === 'error') throw new Error(`instead of ${type}: ${JSON.stringify(last)}`)
  return last
}

const outputOf = (done: WireEvent): readonly Call[] => (done.response as { output: Call[] }).output

/** Says it as somebody would into a telephone, with silence before and behind. */
async function ask(client: RealtimeClient, question: string, voice: string): Promise<void> {
  const spoken = await speak(service.synthesizer, question, voice)
  client.send(...[silence(400), spoken, silence(900)].flatMap((sound) => appendsOf(sound, 100)))
}

describe('a service at rest', () => {
  it('loads its engines for a session that has said nothing yet', { timeout: PATIENCE_MS }, async () => {
    expect(await enginesRunning()).toEqual([])
    const client = await service.harness.connect()
    const hasAll = (names: readonly string[]) => FIRST_ENGINES.every((name) => names.includes(name))
    await eventually(enginesRunning, hasAll, PATIENCE_MS)
    await client.close()
  })
})

describe('a spoken question', () => {
  for (const { language, voice, question, city, result, answer } of CALLS) {
    it(
      `in ${language} calls the right tool, and its result is spoken so that it can be heard`,
      async () => {
        const client = await service.harness.connect('beta')
        const session = { voice, tools: TOOLS, input_audio_transcription: { model: 'whisper-1' } }
        await client.ask({ type: 'session.update', session }, 'session.updated')
        await ask(client, question, voice)
        const called = await waitFor(client, 'response.done')
        const [call, ...more] = outputOf(called)
        expect(more).toEqual([])
        expect([call?.type, call?.name]).toEqual(['function_call', 'get_weather'])
        expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: expect.stringMatching(city) })

        const item = { type: 'function_call_output', call_id: call?.call_id, output: JSON.stringify(result) }
        client.send({ type: 'conversation.item.create', item }, { type: 'response.create' })
        const answered = await waitFor(client, 'response.done', 2)
        expect(answered.response).toMatchObject({ status: 'completed' })
        const deltas = client.events
          .filter(({ type }) => type === 'response.audio.delta')
          .map(({ delta }) => String(delta))
        const samples = heardSamples(deltas)
        const [heard] = await service.speech.transcriber.transcribe([{ samples, languages: ['hi', 'en'] }])
        if (!heard?.ok) throw heard?.error ?? new Error('nothing was heard')
        const text = heard.value.segments.map((segment) => segment.text).join(' ')
        expect(heard.value.language).toBe(language)
        for (const part of answer) expect(text).toMatch(part)
        await client.close()
      },
      PATIENCE_MS,
    )
  }
})
