import { setTimeout as delay } from 'node:timers/promises'
import { encodeWav, parseWav } from '../../src/audio/wav.ts'
import { LipikError } from '../../src/platform/errors.ts'
import type { ChunkTranscriber, Outcome, Samples } from '../../src/speech/ports.ts'
import type { ChunkTranscript } from '../../src/speech/transcript.ts'
import type { SplitAudio } from '../../src/worker/file-jobs.ts'

/**
 * A speech engine for tests: a "recording" is a text, each line is a chunk of one second, and recognising it gives the line
 * back. Real samples travel through real storage in between, so that a chunk that is lost, doubled or out of order is heard.
 * A line may begin with a command: `!bad` never succeeds, `!busy:N` fails N times, `!slow:MS` takes that long, and at the
 * cutting `!broken` ends the file there.
 */
export const splitLines: SplitAudio = async function* (audio, { signal }) {
  const pieces: Uint8Array[] = []
  for await (const piece of audio) pieces.push(piece)
  const lines = readRecording(Buffer.concat(pieces)).split('\n').filter(Boolean)
  for (const [at, line] of lines.entries()) {
    signal.throwIfAborted()
    if (line === '!broken') throw new LipikError('audio_corrupt', 'the recording is damaged')
    yield { samples: toSamples(line), startMs: at * 1000, endMs: at * 1000 + 1000, overlapMs: 0 }
  }
  return { durationMs: lines.length * 1000 }
}

export type InstantTranscriber = ChunkTranscriber & {
  /** How many chunks each call was asked for. */
  readonly calls: number[]
}

export function createInstantTranscriber(): InstantTranscriber {
  const busy = new Map<string, number>()
  const calls: number[] = []
  const hear = async (samples: Samples, signal?: AbortSignal): Promise<Outcome<ChunkTranscript>> => {
    const line = toText(samples)
    const [command = '', rest = ''] = line.startsWith('!') ? split(line) : []
    const [name, argument] = command.split(':')
    if (name === '!bad') return { ok: false, error: new LipikError('audio_corrupt', 'no speech can be made of this') }
    if (name === '!slow') await delay(Number(argument), undefined, { ...(signal ? { signal } : {}) })
    const failed = busy.get(line) ?? 0
    if (name === '!busy' && failed < Number(argument)) {
      busy.set(line, failed + 1)
      return { ok: false, error: new LipikError('engine_busy', 'the engine is busy') }
    }
    return { ok: true, value: instantTranscript(command === '' ? line : rest) }
  }
  return {
    calls,
    async transcribe(requests, signal) {
      calls.push(requests.length)
      return Promise.all(requests.map(({ samples }) => hear(samples, signal)))
    },
    close: async () => {},
  }
}

function split(line: string): [string, string] {
  const at = line.indexOf(' ')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}

/** The text as a proper wav, for doors that take nothing but audio. */
export const recordingOf = (text: string): Uint8Array => encodeWav(toSamples(text))

const readRecording = (bytes: Buffer): string =>
  bytes.subarray(0, 4).toString() === 'RIFF' ? toText(parseWav(bytes)) : bytes.toString()

/** Character codes are small whole numbers of 16-bit sound and come back exactly. */
const toSamples = (text: string): Samples => Float32Array.from(text, (letter) => letter.charCodeAt(0) / 32_768)
const toText = (samples: Samples): string =>
  Array.from(samples, (sample) => String.fromCharCode(Math.round(sample * 32_768))).join('')

/** A transcript of one second that says `text`. */
export const instantTranscript = (text: string): ChunkTranscript => ({
  language: 'en',
  languageScores: { en: 1 },
  engine: 'instant',
  segments: [
    {
      startMs: 0,
      endMs: 1000,
      text,
      language: 'en',
      confidence: 1,
      words: text.split(' ').map((word, at, all) => ({
        text: word,
        startMs: Math.round((1000 * at) / all.length),
        endMs: Math.round((1000 * (at + 1)) / all.length),
      })),
      tags: [],
    },
  ],
})
