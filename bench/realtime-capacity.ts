import { availableParallelism } from 'node:os'
import { pcm16FromSamples } from '../src/audio/pcm16.ts'
import { resample } from '../src/audio/resampler.ts'
import { eventually } from '../test/support/eventually.ts'
import { fixtureClip } from '../test/support/fixture-clip.ts'
import type { RealtimeClient } from '../test/support/realtime-client.ts'
import type { Bench, Figure } from './support/figure.ts'
import { type RealtimeServer, startRealtimeServer } from './support/realtime-server.ts'

const IDLE_SESSIONS = Number(process.env.BENCH_SESSIONS ?? 500)
const CYCLES = Number(process.env.BENCH_CYCLES ?? 1_000)
const WARM_CYCLES = 100
const SPEAKERS = [1, 16, 64]
const SPOKEN_SECONDS = 10
const PIECE_MS = 40
const CORES = 2

/** How many sessions fit in memory and in two cores, and that none leaves anything behind. */
export const bench: Bench = async (say) => {
  const server = await startRealtimeServer()
  try {
    // First: later the process has room to spare from those who left.
    const idle = await keepIdle(server, say)
    const cycles = await connectAndLeave(server, say)
    const spoken = await speakAll(server, say)
    return [idle, ...cycles, ...spoken]
  } finally {
    await server.close()
  }
}

async function connectAndLeave(server: RealtimeServer, say: (line: string) => void): Promise<Figure[]> {
  const cycle = async (times: number) => {
    for (let n = 0; n < times; n++) await (await server.connect()).close()
    await eventually(
      () => server.load(),
      ({ sessions }) => sessions === 0,
    )
    return server.load()
  }
  const before = await cycle(WARM_CYCLES)
  const after = await cycle(CYCLES)
  say(
    `${CYCLES} connections came and went: ${after.handles} handles and ${after.openFiles} files open, ${before.handles} and ${before.openFiles} before`,
  )
  return [
    figure(
      `memory after ${CYCLES} connections`,
      after.usedBytes / 1e6,
      'MB',
      `after ${WARM_CYCLES}`,
      before.usedBytes / 1e6,
    ),
    figure(`handles after ${CYCLES} connections`, after.handles, 'handles', `after ${WARM_CYCLES}`, before.handles),
    figure(
      `files open after ${CYCLES} connections`,
      after.openFiles,
      'files',
      `after ${WARM_CYCLES}`,
      before.openFiles,
    ),
  ]
}

async function keepIdle(server: RealtimeServer, say: (line: string) => void): Promise<Figure> {
  const before = await server.load()
  const clients: RealtimeClient[] = []
  for (let n = 0; n < IDLE_SESSIONS; n++) clients.push(await server.connect())
  const after = await server.load()
  const bytes = (after.usedBytes - before.usedBytes) / IDLE_SESSIONS
  say(`${IDLE_SESSIONS} idle sessions: ${(bytes / 1000).toFixed(1)} kB each`)
  await Promise.all(clients.map((client) => client.close()))
  await eventually(
    () => server.load(),
    ({ sessions }) => sessions === 0,
  )
  return figure('idle sessions in a gigabyte', 1e9 / bytes, 'sessions', `${IDLE_SESSIONS} sessions`, IDLE_SESSIONS)
}

/** Everybody speaks without a pause and as fast as they are heard; a commit is answered when all before it was judged. */
async function speakAll(server: RealtimeServer, say: (line: string) => void): Promise<Figure[]> {
  const frames = await continuousSpeech()
  const found: { readonly speakers: number; readonly cpu: number; readonly wall: number }[] = []
  await speakOnce(server, frames, 1)
  for (const speakers of SPEAKERS) {
    const [before, beganMs] = [await server.load(), performance.now()]
    await speakOnce(server, frames, speakers)
    const audioSeconds = speakers * SPOKEN_SECONDS
    const cpu = ((await server.load()).cpuSeconds - before.cpuSeconds) / audioSeconds
    const wall = (performance.now() - beganMs) / 1000 / audioSeconds
    say(
      `${speakers} speaking: ${(cpu * 1000).toFixed(1)} ms of processor and ${(wall * 1000).toFixed(1)} ms of time for a second of speech`,
    )
    found.push({ speakers, cpu, wall })
  }
  const [alone, many] = [found[0], found.at(-1)]
  if (!alone || !many) return []
  return [
    figure(
      `a second of speech, ${many.speakers} speaking`,
      many.cpu * 1000,
      'ms of processor',
      'one speaking',
      alone.cpu * 1000,
    ),
    figure(
      `sessions of continuous speech on ${CORES} cores`,
      CORES / many.cpu,
      'sessions',
      'each judged alone',
      CORES / alone.cpu,
    ),
    figure(
      'sessions kept up with here',
      1 / many.wall,
      'sessions',
      `${availableParallelism()} cores, shared with the clients`,
      availableParallelism(),
    ),
  ]
}

async function speakOnce(server: RealtimeServer, frames: readonly string[], speakers: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: speakers }, () => server.connect()))
  for (const frame of frames) for (const client of clients) client.socket.send(frame)
  for (const client of clients) client.send({ type: 'input_audio_buffer.commit' })
  const isHeard = (client: RealtimeClient) => client.types().includes('input_audio_buffer.committed')
  await eventually(async () => clients.every(isHeard), Boolean, 600_000)
  await Promise.all(clients.map((client) => client.close()))
}

async function continuousSpeech(): Promise<string[]> {
  const clip = await fixtureClip('hi-rain')
  const pcm = pcm16FromSamples(resample(clip, 16_000, 24_000))
  const size = (PIECE_MS * 24_000) / 1000
  return Array.from({ length: (SPOKEN_SECONDS * 1000) / PIECE_MS }, (_, at) => {
    const piece = Int16Array.from({ length: size }, (_, i) => pcm[(at * size + i) % pcm.length] ?? 0)
    return JSON.stringify({ type: 'input_audio_buffer.append', audio: Buffer.from(piece.buffer).toString('base64') })
  })
}

const figure = (name: string, value: number, unit: string, baseline: string, against: number): Figure => ({
  name,
  value,
  unit,
  baseline,
  ratio: value / against,
  spread: 0,
})
