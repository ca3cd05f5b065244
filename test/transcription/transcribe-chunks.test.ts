import { describe, expect, it } from 'vitest'
import { LipikError } from '../../src/platform/errors.ts'
import type { LanguageScores } from '../../src/speech/language.ts'
import type { ChunkRequest, LanguageIdentifier, SpeechRecognizer } from '../../src/speech/ports.ts'
import { createChunkTranscriber } from '../../src/transcription/transcribe-chunks.ts'
import { segmentOf } from './segments.ts'

/** Clips are told apart by their length: the n-th second says what the script says for n. */
const clip = (seconds: number): Float32Array => new Float32Array(seconds * 16_000)
const secondsOf = (samples: Float32Array): number => Math.round(samples.length / 16_000)

function recognizer(
  name: string,
  says: (seconds: number, language: string) => string,
): SpeechRecognizer & { asked: number[] } {
  const asked: number[] = []
  return {
    name,
    asked,
    async recognize(requests) {
      return requests.map(({ samples, language }) => {
        asked.push(secondsOf(samples))
        const text = says(secondsOf(samples), language)
        if (text === 'FAIL') return { ok: false, error: new LipikError('engine_crashed', 'gone') }
        const segments = text === '' ? [] : [segmentOf(text, 0, 900, { language })]
        return { ok: true, value: { segments } }
      })
    },
    close: async () => {},
  }
}

const identifier = (scores: Record<number, LanguageScores>): LanguageIdentifier => ({
  identify: async (clips) => clips.map((samples) => scores[secondsOf(samples)] ?? { hi: 0.5, en: 0.5 }),
  close: async () => {},
})

const request = (seconds: number, more: Partial<ChunkRequest> = {}): ChunkRequest => ({
  samples: clip(seconds),
  languages: ['hi', 'en'],
  ...more,
})

const heard = identifier({ 2: { hi: 0.95, en: 0.05 }, 3: { hi: 0.02, en: 0.98 } })

describe('transcribing chunks', () => {
  it('hands each chunk to the recogniser of its language and answers in order', async () => {
    const english = recognizer('english', () => 'hello there .')
    const general = recognizer('general', () => 'नमस्ते जी.')
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: { en: english }, generalist: general })
    const outcomes = await transcriber.transcribe([request(3), request(2), request(3)])
    expect(outcomes.map((outcome) => outcome.ok && [outcome.value.engine, outcome.value.segments[0]?.text])).toEqual([
      ['english', 'hello there.'],
      ['general', 'नमस्ते जी।'],
      ['english', 'hello there.'],
    ])
    expect([english.asked, general.asked]).toEqual([[3, 3], [2]])
  })

  it('believes the caller about the language, and asks nobody', async () => {
    const deaf: LanguageIdentifier = {
      identify: () => Promise.reject(new Error('not to be asked')),
      close: async () => {},
    }
    const general = recognizer('general', (_, language) => language)
    const transcriber = createChunkTranscriber({ identifier: deaf, specialists: {}, generalist: general })
    const outcomes = await transcriber.transcribe([
      request(3, { language: 'hi' }),
      request(2, { languages: ['en'] }),
      request(2, { languageScores: { hi: 0.9, en: 0.1 } }),
    ])
    expect(outcomes.map((outcome) => outcome.ok && outcome.value.language)).toEqual(['hi', 'en', 'hi'])
  })

  it('asks a silent specialist again in halves, with times of the whole clip', async () => {
    const english = recognizer('english', (seconds) => (seconds > 15 ? '' : 'half'))
    const general = recognizer('general', () => 'never')
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: { en: english }, generalist: general })
    const [outcome] = await transcriber.transcribe([request(20, { language: 'en' })])
    expect(outcome?.ok && outcome.value.segments.map(({ text }) => text)).toEqual(['half', 'half'])
    expect(outcome?.ok && outcome.value.segments[1]?.startMs).toBeGreaterThan(6000)
    expect(general.asked).toEqual([])
  })

  it('turns to the generalist when the specialist stays silent', async () => {
    const english = recognizer('english', () => '')
    const general = recognizer('general', (_, language) => `heard in ${language}`)
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: { en: english }, generalist: general })
    const [outcome] = await transcriber.transcribe([request(3)])
    expect(outcome).toMatchObject({ ok: true, value: { engine: 'general', segments: [{ text: 'heard in en' }] } })
  })

  it('asks again in halves where a text is too short for its speech', async () => {
    const sentence = 'यह एक पूरा वाक्य है जो इतनी देर तक बोला जाता है'
    const general = recognizer('general', (seconds) => (seconds > 8 ? sentence.slice(0, 20) : sentence))
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: {}, generalist: general })
    const [broken] = await transcriber.transcribe([request(9, { language: 'hi' })])
    expect(broken?.ok && broken.value.segments.map(({ text }) => text)).toEqual([sentence, sentence])
    const [whole] = await transcriber.transcribe([request(7, { language: 'hi' })])
    expect(whole?.ok && whole.value.segments.map(({ text }) => text)).toEqual([sentence])
    expect(general.asked).toEqual([9, 3, 6, 7])
  })

  it('fails one chunk alone, and one recogniser alone', async () => {
    const english: SpeechRecognizer = {
      ...recognizer('english', () => ''),
      recognize: () => Promise.reject(new Error('down')),
    }
    const general = recognizer('general', (seconds) => (seconds === 5 ? 'FAIL' : 'theek hai'))
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: { en: english }, generalist: general })
    const outcomes = await transcriber.transcribe([request(3), request(5, { language: 'hi' }), request(2)])
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, true])
    expect(outcomes[1]).toMatchObject({ error: { code: 'engine_crashed' } })
  })

  it('leaves an empty transcript where nothing was said', async () => {
    const general = recognizer('general', () => '')
    const transcriber = createChunkTranscriber({ identifier: heard, specialists: {}, generalist: general })
    expect(await transcriber.transcribe([request(2)])).toMatchObject([{ ok: true, value: { segments: [] } }])
  })
})
