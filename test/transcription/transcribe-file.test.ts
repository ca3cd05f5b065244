import { describe, expect, it } from 'vitest'
import type { AudioBlock } from '../../src/audio/audio-block.ts'
import { LipikError } from '../../src/platform/errors.ts'
import type { ChunkTranscriber, LanguageIdentifier, VoiceDetector } from '../../src/speech/ports.ts'
import { transcribeFile } from '../../src/transcription/transcribe-file.ts'
import { segmentOf } from './segments.ts'

const WINDOW = 512
const SECOND = 16_000

/** Hears speech wherever the sound is not zero. */
const detector: VoiceDetector = {
  open: async () => {
    let rest = new Float32Array(0)
    return {
      async push(samples) {
        const all = new Float32Array(rest.length + samples.length)
        all.set(rest)
        all.set(samples, rest.length)
        const windows = Math.floor(all.length / WINDOW)
        rest = all.slice(windows * WINDOW)
        return Float32Array.from({ length: windows }, (_, at) => (all[at * WINDOW + 100] === 0 ? 0.01 : 0.99))
      },
      close: async () => {},
    }
  },
  close: async () => {},
}

const identifier: LanguageIdentifier = {
  identify: async (clips) => clips.map(() => ({ hi: 0.9, en: 0.1 })),
  close: async () => {},
}

/** The loudness of a stretch is its name: 0.1 → "एक", 0.2 → "दो" ... */
const NAMES = ['', 'एक', 'दो', 'तीन', 'चार', 'पाँच']
const nameOf = (samples: Float32Array): string => NAMES[Math.round((samples[samples.length >> 1] ?? 0) * 10)] ?? '?'

const transcriber = (fails: string[] = []): ChunkTranscriber & { batches: string[][] } => {
  const batches: string[][] = []
  return {
    batches,
    async transcribe(requests) {
      batches.push(requests.map(({ samples }) => nameOf(samples)))
      return requests.map(({ samples }) => {
        const name = nameOf(samples)
        if (fails.includes(name)) return { ok: false, error: new LipikError('engine_timeout', 'too slow') }
        const segments = [segmentOf(name, 200, 1000)]
        return { ok: true, value: { language: 'hi', languageScores: { hi: 1 }, segments, engine: 'test' } }
      })
    },
    close: async () => {},
  }
}

async function* sound(...loudness: number[]): AsyncGenerator<AudioBlock> {
  for (const level of loudness) yield { samples: new Float32Array(SECOND).fill(level) }
}

const options = { languages: ['hi', 'en'], batchSize: 2, batchesAtOnce: 2 }
/** Five stretches of a second, four seconds apart. */
const FIVE = [0.1, 0, 0, 0, 0, 0.2, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.4, 0, 0, 0, 0, 0.5, 0]

describe('transcribing a file', () => {
  it('puts the chunks together in the order of the file', async () => {
    const progress: number[] = []
    const engine = transcriber()
    const parts = { detector, identifier, transcriber: engine }
    const { transcript, failures } = await transcribeFile(parts, sound(...FIVE), {
      ...options,
      onProgress: (doneMs) => progress.push(doneMs),
    })
    expect(transcript.text).toBe('एक दो तीन चार पाँच')
    expect(transcript).toMatchObject({ language: 'hi', durationMs: 22_000 })
    expect(transcript.segments[1]?.startMs).toBeGreaterThan(4800)
    expect(engine.batches.map((batch) => batch.length)).toEqual([2, 2, 1])
    expect(Math.max(...progress)).toBeGreaterThan(20_000)
    expect(failures).toEqual([])
  })

  it('keeps the rest when one chunk fails, and says which', async () => {
    const parts = { detector, identifier, transcriber: transcriber(['तीन']) }
    const { transcript, failures } = await transcribeFile(parts, sound(...FIVE), options)
    expect(transcript.text).toBe('एक दो चार पाँच')
    expect(failures).toMatchObject([{ error: { code: 'engine_timeout' } }])
    expect(failures[0]?.startMs).toBeGreaterThan(9000)
  })

  it('writes in the script that was asked for, and leaves tags alone', async () => {
    const parts = { detector, identifier, transcriber: transcriber() }
    const asked = { ...options, script: 'roman', pauseMs: 1500 } as const
    expect((await transcribeFile(parts, sound(0.1, 0, 0, 0, 0.2, 0), asked)).transcript.text).toBe('ek [pause] do')
  })

  it('says nothing about silence', async () => {
    const engine = transcriber()
    const { transcript } = await transcribeFile({ detector, identifier, transcriber: engine }, sound(0, 0, 0), options)
    expect(transcript).toMatchObject({ text: '', languages: [], durationMs: 3000 })
    expect(engine.batches).toEqual([])
  })

  it('ends with the failure of the engine as a whole', async () => {
    const down: ChunkTranscriber = { transcribe: () => Promise.reject(new Error('gone')), close: async () => {} }
    await expect(transcribeFile({ detector, identifier, transcriber: down }, sound(...FIVE), options)).rejects.toThrow(
      'gone',
    )
  })
})
