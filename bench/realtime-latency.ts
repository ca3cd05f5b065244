import { setTimeout as delay } from 'node:timers/promises'
import { openSynthesizer } from '../src/main/open-synthesizer.ts'
import { sleepersOf } from '../src/speech/keep-awake.ts'
import type { LanguageModel } from '../src/speech/language-model.ts'
import type { ChunkTranscriber } from '../src/speech/ports.ts'
import { eventually } from '../test/support/eventually.ts'
import { modelsDir } from '../test/support/models.ts'
import type { RealtimeClient } from '../test/support/realtime-client.ts'
import { appendsOf, openSpokenService, type SpokenService, silence, speak } from '../test/support/spoken-service.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'

const REPEATS = Number(process.env.BENCH_REPEATS ?? 3)
const PIECE_MS = 20
const LEAD_MS = 600
const SILENCE_DURATION_MS = 500
const PATIENCE_MS = 300_000
const QUIET = 0.01 * 32_768

const QUESTIONS = [
  { language: 'English', voice: 'tara', text: 'Please tell me when the train to the city leaves this evening.' },
  { language: 'Hindi', voice: 'ananya', text: 'कृपया बताइए कि शहर जाने वाली गाड़ी आज शाम को कब निकलेगी।' },
] as const

type Question = (typeof QUESTIONS)[number]
type Spoken = { readonly question: Question; readonly pcm: Int16Array }
/** Milliseconds; waits count from the end of speech. */
type Turn = {
  readonly spokenMs: number
  readonly stopped: number
  readonly heard: number
  readonly thought: number
  readonly sounding: number
  /** What recognisers worked on it, also for what was thrown away. */
  readonly hearing: number
}

/** What a caller waits for after the last word, as shares of what was said; and how soon the service falls silent when interrupted. */
export const bench: Bench = async (say) => {
  const spoken = await speakQuestions()
  const base = await openSpokenService()
  const ear = timed(base.speech.transcriber)
  const { detector } = base.speech
  const service = await openSpokenService({ transcriber: ear, detector, synthesizer: base.synthesizer })
  try {
    const figures: Figure[] = []
    const [first] = spoken
    if (first) figures.push(coldFigure(first.question, await takeTurn(service, ear, first), say))
    for (const each of spoken) {
      await takeTurn(service, ear, each)
      const turns: Turn[] = []
      for (let repeat = 0; repeat < REPEATS; repeat++) turns.push(await takeTurn(service, ear, each))
      for (const turn of turns) say(`${each.question.language}: ${describe(turn)}`)
      figures.push(...figuresOf(each.question, turns))
    }
    return [...figures, await bargeIn(base, say)]
  } finally {
    await service.close()
    await base.close()
  }
}

/** By engines of their own, so that those of the service are still cold. */
async function speakQuestions(): Promise<Spoken[]> {
  const synthesizer = await openSynthesizer({ dir: modelsDir })
  const spoken: Spoken[] = []
  for (const question of QUESTIONS)
    spoken.push({ question, pcm: await speak(synthesizer, question.text, question.voice) })
  await synthesizer.close()
  return spoken
}

type TimedEar = ChunkTranscriber & { takeMs(): number }

function timed(ear: ChunkTranscriber): TimedEar {
  let ms = 0
  return {
    async transcribe(requests, signal) {
      const beganMs = performance.now()
      return ear.transcribe(requests, signal).finally(() => {
        ms += performance.now() - beganMs
      })
    },
    sleepers: sleepersOf([ear]),
    close: () => ear.close(),
    takeMs() {
      const taken = ms
      ms = 0
      return taken
    },
  }
}

/** In real time: what has not been said yet cannot be heard. */
async function takeTurn(service: SpokenService, ear: TimedEar, { question: { voice }, pcm }: Spoken): Promise<Turn> {
  const client = await service.harness.connect('beta')
  const times = watch(client)
  const turn_detection = { type: 'server_vad', silence_duration_ms: SILENCE_DURATION_MS }
  const session = { voice, turn_detection, input_audio_transcription: { model: 'whisper-1' } }
  await client.ask({ type: 'session.update', session }, 'session.updated')
  const lastWord = pcm.findLastIndex((sample) => Math.abs(sample) > QUIET)
  const spokenMs = (lastWord - pcm.findIndex((sample) => Math.abs(sample) > QUIET)) / 24
  const microphone = openMicrophone(client)
  await microphone.play(silence(LEAD_MS))
  const endMs = microphone.nowMs() + lastWord / 24
  await microphone.play(pcm)
  microphone.rest()
  await eventually(async () => times.has('response.audio.delta') || times.has('error'), Boolean, PATIENCE_MS)
  microphone.close()
  await client.close()
  // The sentence that was broken off is made to its end: the next turn shall not compete with it.
  await speak(service.synthesizer, 'Yes.', voice)
  const since = (type: string) => (times.get(type) ?? Number.NaN) - endMs
  return {
    spokenMs,
    stopped: since('input_audio_buffer.speech_stopped'),
    heard: since('conversation.item.input_audio_transcription.completed'),
    thought: since('response.audio_transcript.delta'),
    sounding: since('response.audio.delta'),
    hearing: ear.takeMs(),
  }
}

/** When each kind of event came first. */
function watch(client: RealtimeClient): Map<string, number> {
  const times = new Map<string, number>()
  client.socket.on('message', (data) => {
    const { type }: { type: string } = JSON.parse(data.toString())
    if (!times.has(type)) times.set(type, performance.now())
  })
  return times
}

/** Sends what is played piece by piece, each when a microphone would have it. */
function openMicrophone(client: RealtimeClient) {
  let dueMs = performance.now()
  let isOpen = true
  const play = async (pcm: Int16Array) => {
    for (const append of appendsOf(pcm, PIECE_MS)) {
      dueMs += PIECE_MS
      await delay(Math.max(0, dueMs - performance.now()))
      if (!isOpen) return
      client.send(append)
    }
  }
  return {
    play,
    nowMs: () => dueMs,
    /** Silence until it is closed. */
    rest: () =>
      void (async () => {
        while (isOpen) await play(silence(100))
      })(),
    close: () => {
      isOpen = false
    },
  }
}

function figuresOf({ language }: Question, turns: readonly Turn[]): Figure[] {
  const of = (name: string, pick: (turn: Turn) => number): Figure => {
    const values = turns.map(pick)
    const spokenMs = median(turns.map((turn) => turn.spokenMs))
    const baseline = `the turn (${spokenMs.toFixed(0)} ms)`
    return {
      name: `${language}: ${name}`,
      value: median(values),
      unit: 'ms',
      baseline,
      ratio: median(values) / spokenMs,
      spread: spread(values),
    }
  }
  return [
    of('end of speech to speech_stopped', (turn) => turn.stopped),
    of(
      `  of it beyond the ${SILENCE_DURATION_MS} ms of silence asked for`,
      (turn) => turn.stopped - SILENCE_DURATION_MS,
    ),
    of('end of speech to transcription completed', (turn) => turn.heard),
    of('end of speech to first sound', (turn) => turn.sounding),
    of('  waiting for the text after speech_stopped', (turn) => Math.max(0, turn.heard - turn.stopped)),
    of('  thinking', (turn) => turn.thought - Math.max(turn.heard, turn.stopped)),
    of('  making the first sound', (turn) => turn.sounding - turn.thought),
    of('all work of the recognisers', (turn) => turn.hearing),
  ]
}

const describe = ({ spokenMs, stopped, heard, sounding, hearing }: Turn): string =>
  `${ms(spokenMs)} said; stopped after ${ms(stopped)}, heard after ${ms(heard)} (${ms(hearing)} of work), first sound after ${ms(sounding)}`

const ms = (value: number): string => `${value.toFixed(0)} ms`

/** Nobody has spoken to this service before: its engines are loaded while the caller speaks. */
function coldFigure({ language }: Question, turn: Turn, say: (line: string) => void): Figure {
  say(`${language}, engines cold: ${describe(turn)}`)
  return {
    name: `${language}: end of speech to first sound, engines cold`,
    value: turn.sounding,
    unit: 'ms',
    baseline: `the turn (${ms(turn.spokenMs)})`,
    ratio: turn.sounding / turn.spokenMs,
    spread: 0,
  }
}

/** Says more than can be spoken before it is interrupted. */
const talker: LanguageModel = {
  name: 'talker',
  async *reply() {
    for (let n = 1; n <= 40; n++)
      yield { kind: 'text', text: `This is sentence number ${n} of a long story. ` } as const
    yield { kind: 'end', reason: 'complete' } as const
  },
  close: async () => undefined,
}

/** Two seconds of somebody else while the service speaks: how long after `speech_started` its last sound still comes. */
async function bargeIn({ speech, synthesizer }: SpokenService, say: (line: string) => void): Promise<Figure> {
  const service = await openSpokenService({ model: talker, detector: speech.detector, synthesizer })
  const client = await service.harness.connect('beta')
  const times = { started: 0, lastDelta: 0, isDone: false }
  client.socket.on('message', (data) => {
    const { type }: { type: string } = JSON.parse(data.toString())
    if (type === 'input_audio_buffer.speech_started') times.started = performance.now()
    if (type === 'response.audio.delta') times.lastDelta = performance.now()
    if (type === 'response.done') times.isDone = true
  })
  const pcm = await speak(synthesizer, 'Wait a moment, I have another question for you.', 'neel')
  client.send({ type: 'response.create' })
  await eventually(async () => times.lastDelta > 0, Boolean, PATIENCE_MS)
  const microphone = openMicrophone(client)
  await microphone.play(pcm)
  await eventually(async () => times.started > 0 && times.isDone, Boolean, PATIENCE_MS)
  await delay(500)
  microphone.close()
  await client.close()
  await service.close()
  const afterMs = Math.max(0, times.lastDelta - times.started)
  say(`interrupted: last sound ${afterMs.toFixed(0)} ms after speech_started`)
  return {
    name: 'last sound after speech_started',
    value: afterMs,
    unit: 'ms',
    baseline: 'the 50 ms allowed',
    ratio: afterMs / 50,
    spread: 0,
  }
}
