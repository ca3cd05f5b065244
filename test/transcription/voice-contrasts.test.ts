import { describe, expect, it } from 'vitest'
import { TONES } from '../../src/speech/transcript.ts'
import { labelAccent } from '../../src/transcription/voice/label-accent.ts'
import { labelTone } from '../../src/transcription/voice/label-tone.ts'
import type { Manner } from '../../src/transcription/voice/speaking-manner.ts'
import { tagManner } from '../../src/transcription/voice/tag-manner.ts'

const ORDINARY: Manner = { pitch: 7.4, range: 0.2, levelDb: -26, tiltDb: -12, rate: 4.5, voiced: 0.6, speechMs: 3000 }
const unlike = (by: Partial<Manner>): Manner =>
  Object.fromEntries(
    Object.entries(ORDINARY).map(([trait, value]) => [trait, value + (by[trait as keyof Manner] ?? 0)]),
  ) as Manner // the same traits

/** Somebody who speaks differently, in the way in which people do. */
const MANNERS: Readonly<Record<(typeof TONES)[number], Manner>> = {
  neutral: unlike({}),
  calm: unlike({ pitch: -0.25, range: -0.08, levelDb: -3, tiltDb: -0.5, rate: -0.6 }),
  sad: unlike({ pitch: -0.1, range: -0.08, levelDb: -9, tiltDb: -4, rate: -0.8 }),
  cheerful: unlike({ pitch: 0.25, range: 0.07, levelDb: 5, tiltDb: 1.2, rate: 0.6 }),
  excited: unlike({ pitch: 0.8, range: 0.13, levelDb: 11, tiltDb: 3, rate: 1 }),
  angry: unlike({ pitch: 0.4, range: 0.12, levelDb: 15, tiltDb: 8, rate: 0.2 }),
}

describe('no answer is a constant', () => {
  it.each(TONES)('a manner of its own is %s', (tone) => {
    expect(labelTone(MANNERS[tone], ORDINARY).tone).toBe(tone)
  })

  it('the same manner is another tone of another speaker', () => {
    const loud = unlike({ levelDb: 15, tiltDb: 8, pitch: 0.4, range: 0.12 })
    expect([labelTone(loud, ORDINARY).tone, labelTone(loud, loud).tone]).toEqual(['angry', 'neutral'])
    expect([labelTone(ORDINARY, ORDINARY).tone, labelTone(ORDINARY, loud).tone]).toEqual(['neutral', 'sad'])
  })

  it('shouting, whispering and speaking have tags of their own, and so has a speaker who always shouts', () => {
    const shout = unlike({ levelDb: 12, tiltDb: 6, pitch: 0.5 })
    const whisper = unlike({ levelDb: -8, voiced: -0.5 })
    const tagsOf = (manner: Manner, ordinary: Manner) =>
      tagManner(manner, ordinary, { startMs: 0, endMs: 900 }).map(({ tag }) => tag)
    expect([shout, whisper, ORDINARY].map((manner) => tagsOf(manner, ORDINARY))).toEqual([
      ['shouting'],
      ['whispering'],
      [],
    ])
    expect(tagsOf(shout, shout)).toEqual([])
  })

  it('three ways to speak two languages have three accents', () => {
    const accents = [
      labelAccent('hi', { hi: 0.99, en: 0.01 }, 1),
      labelAccent('en', { hi: 0.2, en: 0.8 }, 0),
      labelAccent('en', { hi: 0.001, en: 0.999 }, 0),
    ]
    expect(accents.map(({ accent }) => accent)).toEqual(['hi-IN', 'en-IN', null])
    expect(new Set(accents.map(({ confidence }) => confidence)).size).toBe(3)
  })
})
