import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/platform/clock.ts'
import { LipikError } from '../../src/platform/errors.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { Door, type DoorSettings, type Visitor } from '../../src/realtime/door.ts'
import { createClientEvents } from '../../src/realtime/schema/client-events.ts'
import type { SessionServices } from '../../src/realtime/session.ts'
import type { Vocabulary } from '../../src/realtime/vocabulary.ts'
import type { ChunkTranscriber } from '../../src/speech/ports.ts'
import { instantTranscript } from './instant-engine.ts'
import { createLoudnessDetector } from './loudness-detector.ts'
import { RealtimeClient } from './realtime-client.ts'
import { ScriptedModel } from './scripted-model.ts'
import { ToneSynthesizer } from './tone-synthesizer.ts'

/** Hears always the same; may be slow, or fail. */
export class ScriptedTranscriber implements ChunkTranscriber {
  text = 'hello there'
  failure: Error | undefined
  gate: Promise<unknown> | undefined

  async transcribe(requests: Parameters<ChunkTranscriber['transcribe']>[0]) {
    await this.gate
    const { failure } = this
    return requests.map(() =>
      failure ? ({ ok: false, error: failure } as const) : ({ ok: true, value: instantTranscript(this.text) } as const),
    )
  }

  async close(): Promise<void> {}
}

export type DoorChanges = {
  readonly settings?: Partial<DoorSettings>
  readonly limits?: Partial<SessionServices['limits']>
  readonly isStrict?: boolean
  readonly services?: Partial<SessionServices>
  readonly verify?: (credential: string) => Promise<Visitor>
}

const SETTINGS: DoorSettings = {
  path: '/v1/realtime',
  maxFrameBytes: 21 * 1_048_576,
  maxBufferedBytes: 8 * 1_048_576,
  slowMs: 5_000,
  pingMs: 25_000,
  drainMs: 2_000,
  instructions: 'Be kind.',
  maxSessions: 2_000,
  sessionsPerKey: 2_000,
  connectionsPerMinute: 100_000,
  responsesPerMinute: 100_000,
}

const LIMITS: SessionServices['limits'] = {
  maxSessionMs: 1_800_000,
  maxKeptBytes: 10_000_000,
  maxBufferMs: 60_000,
  maxTurnMs: 60_000,
  backchannelMs: 0,
}

/** `good…` is a key; anything else is not. */
const verifyGood = async (credential: string): Promise<Visitor> => {
  if (!credential.startsWith('good')) throw new LipikError('unauthorized', 'no such key')
  return { userId: 'asha' as UserId, limitKey: credential }
}

/** The realtime door on a real port, with engines that do what a test says. */
export class RealtimeHarness {
  readonly model = new ScriptedModel()
  readonly synthesizer = new ToneSynthesizer()
  readonly transcriber = new ScriptedTranscriber()
  readonly detector = createLoudnessDetector()
  readonly metrics = createMetrics()
  readonly server: Server = createServer((_request, response) => response.writeHead(426).end())
  readonly clients = new Set<RealtimeClient>()
  door!: Door
  port = 0

  async open(changes: DoorChanges = {}): Promise<this> {
    const vocabulary = this.#vocabulary(changes.isStrict ?? false)
    const { model, synthesizer, transcriber, detector, metrics } = this
    this.door = new Door({
      services: {
        model,
        synthesizer,
        transcriber,
        detector,
        languages: ['hi', 'en'],
        vocabulary,
        events: createClientEvents(vocabulary),
        clock: systemClock,
        log: createLogger({ level: 'silent' }),
        limits: { ...LIMITS, ...changes.limits },
        ...changes.services,
      },
      settings: { ...SETTINGS, ...changes.settings },
      verify: changes.verify ?? verifyGood,
      metrics,
    })
    this.door.attach(this.server)
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
    return this
  }

  #vocabulary(isStrict: boolean): Vocabulary {
    const { voices } = this.synthesizer
    const aliases: Record<string, string> = { alloy: 'tara', verse: 'neel' }
    const resolveVoice = (name: string) => voices.find(({ id }) => id === (aliases[name] ?? name))?.id
    return { voices, defaultVoice: 'tara', resolveVoice, model: 'lipik-realtime', isStrict }
  }

  url(query = '?model=lipik-realtime'): string {
    return `ws://127.0.0.1:${this.port}/v1/realtime${query}`
  }

  /** A raw client whose session has begun. */
  async connect(dialect: 'beta' | 'ga' = 'beta', query?: string): Promise<RealtimeClient> {
    const beta = dialect === 'beta' ? { 'openai-beta': 'realtime=v1' } : {}
    const headers = { authorization: 'Bearer good', ...beta }
    const client = new RealtimeClient(this.url(query), [], { headers })
    this.clients.add(client)
    await client.next('session.created')
    return client
  }

  /** After a test: everybody gone, every script forgotten. */
  async reset(): Promise<void> {
    for (const client of this.clients) {
      client.socket.terminate()
      await client.closed
    }
    this.clients.clear()
    this.model.reset()
    this.synthesizer.reset()
    Object.assign(this.transcriber, { text: 'hello there', failure: undefined, gate: undefined })
  }

  async close(): Promise<void> {
    await this.reset()
    await this.door.close()
    this.server.closeAllConnections()
    this.server.close()
  }
}

/** Base64 of 24 kHz sound: loud counts as speech. */
export function sound(ms: number, isLoud = true): string {
  const samples = new Int16Array(ms * 24)
  if (isLoud)
    for (let at = 0; at < samples.length; at++) samples[at] = 8_000 * Math.sin((2 * Math.PI * 300 * at) / 24_000)
  return Buffer.from(samples.buffer).toString('base64')
}

export const append = (ms: number, isLoud = true) => ({ type: 'input_audio_buffer.append', audio: sound(ms, isLoud) })
export const userText = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})
/** A wait that the test ends. */
export function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}
