import { describe, expect, it } from 'vitest'
import type { Language, LanguageScores } from '../../src/speech/language.ts'
import type { Care, LanguageIdentifier } from '../../src/speech/ports.ts'
import { hearLanguages } from '../../src/transcription/hear-languages.ts'

const SPEECH_MS = 5_000

/** What each chunk sounds like, by how carefully it is listened to; a sound by itself has no language. */
type Sound = Partial<Record<Care, LanguageScores>> | 'no speech'

const HINDI: Sound = { quick: { hi: 0.98, en: 0.02 } }
const ENGLISH: Sound = { quick: { hi: 0.02, en: 0.98 } }
const DOUBT: LanguageScores = { hi: 0.6, en: 0.4 }

async function hear(sounds: readonly Sound[], languages: readonly Language[] = ['hi', 'en'], lengthMs = SPEECH_MS) {
  const asked: [chunk: number, care: Care | undefined][] = []
  const identifier: LanguageIdentifier = {
    async identify(clips, _, how) {
      return clips.map(([at = 0]) => {
        const sound = sounds[at]
        asked.push([at, how?.care])
        return (sound !== 'no speech' && sound?.[how?.care ?? 'quick']) || {}
      })
    },
    close: async () => undefined,
  }
  async function* chunks() {
    for (const [at, sound] of sounds.entries())
      yield {
        samples: Float32Array.of(at),
        startMs: at * lengthMs,
        endMs: (at + 1) * lengthMs,
        ...(sound === 'no speech' && { languageScores: {} }),
      }
  }
  const heard: { at: number | undefined; scores: LanguageScores }[] = []
  for await (const { samples, languageScores } of hearLanguages(chunks(), identifier, languages))
    heard.push({ at: samples[0], scores: languageScores })
  return { asked, heard, likeliest: heard.map(({ scores }) => ((scores.en ?? 0) > 0.5 ? 'en' : 'hi')) }
}

describe('the languages of a file, chunk by chunk', () => {
  it('are what is heard in each, in the order of the file', async () => {
    const { heard, likeliest, asked } = await hear([HINDI, ENGLISH, HINDI, ENGLISH, ENGLISH])
    expect(heard.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4])
    expect(likeliest).toEqual(['hi', 'en', 'hi', 'en', 'en'])
    expect(asked.map(([, care]) => care)).toEqual(['quick', 'quick', 'quick', 'quick', 'quick'])
  })

  it('nobody is asked where one language alone is allowed', async () => {
    const { asked, heard } = await hear([HINDI, ENGLISH], ['en'])
    expect([asked, heard.map(({ scores }) => scores)]).toEqual([[], [{ en: 1 }, { en: 1 }]])
  })

  it('doubt is heard again, with more care each time, until there is none', async () => {
    const sounds: Sound[] = [
      { quick: DOUBT, careful: { hi: 0.03, en: 0.97 } },
      { quick: DOUBT, careful: DOUBT, thorough: { hi: 0.99, en: 0.01 } },
      { quick: DOUBT, careful: DOUBT, thorough: DOUBT },
    ]
    const { asked, likeliest } = await hear(sounds)
    expect(likeliest).toEqual(['en', 'hi', 'hi'])
    const cares = [0, 1, 2].map((at) => asked.filter(([chunk]) => chunk === at).map(([, care]) => care))
    expect(cares).toEqual([
      ['quick', 'careful'],
      ['quick', 'careful', 'thorough'],
      ['quick', 'careful', 'thorough'],
    ])
  })

  it('a short chunk leans on both its neighbours', async () => {
    const short = await hear([HINDI, { quick: { hi: 0.1, en: 0.9 } }, HINDI], ['hi', 'en'], 600)
    expect(short.likeliest).toEqual(['hi', 'hi', 'hi'])
    const alone = await hear([{ quick: { hi: 0.02, en: 0.98 } }], ['hi', 'en'], 600)
    expect(alone.likeliest).toEqual(['en'])
  })

  it('a sound by itself has none, is asked about by nobody, and keeps its place', async () => {
    const { heard, asked } = await hear(['no speech', HINDI, 'no speech', ENGLISH, 'no speech'])
    expect(heard.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4])
    expect(heard.filter(({ scores }) => Object.keys(scores).length === 0).map(({ at }) => at)).toEqual([0, 2, 4])
    expect(asked.map(([chunk]) => chunk)).toEqual([1, 3])
  })
})

describe('reading chunks ahead', () => {
  const identifier: LanguageIdentifier = {
    identify: async (clips) => clips.map(() => ({ hi: 0.98, en: 0.02 })),
    close: async () => undefined,
  }

  it('goes no further than two, and lets go of the rest when nobody wants them', async () => {
    let [read, isClosed] = [0, false]
    async function* chunks() {
      try {
        for (; read < 100; ) {
          yield { samples: Float32Array.of(read), startMs: read * 1000, endMs: (read + 1) * 1000 }
          read++
        }
      } finally {
        isClosed = true
      }
    }
    for await (const { samples } of hearLanguages(chunks(), identifier, ['hi', 'en'])) {
      const [at = 0] = samples
      expect(read - at).toBeLessThanOrEqual(3)
      if (at === 5) break
    }
    expect(isClosed).toBe(true)
  })

  it('tells of a source that fails', async () => {
    async function* chunks() {
      yield { samples: Float32Array.of(0), startMs: 0, endMs: 1000 }
      throw new Error('no more')
    }
    const all = async () => {
      for await (const _ of hearLanguages(chunks(), identifier, ['hi', 'en']));
    }
    await expect(all()).rejects.toThrow('no more')
  })
})
