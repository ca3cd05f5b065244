import { describe, expect, it } from 'vitest'
import { createBreather } from '../../src/audio/breather.ts'
import { TONES } from '../../src/speech/transcript.ts'
import { labelAccent } from '../../src/transcription/voice/label-accent.ts'
import { labelSpeakers } from '../../src/transcription/voice/label-speakers.ts'
import { labelTone, ordinaryManner } from '../../src/transcription/voice/label-tone.ts'
import type { Manner } from '../../src/transcription/voice/speaking-manner.ts'
import { tagManner } from '../../src/transcription/voice/tag-manner.ts'
import { segmentOf } from './segments.ts'

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

describe('how sure an answer is', () => {
  const SHARES = [0, 0.02, 0.1, 0.15, 0.3, 0.5, 0.8, 1]

  it('an accent between nothing and certainty, the surer the more Hindi is heard around it', () => {
    const bySound = SHARES.map((hi) => labelAccent('en', { hi, en: 1 - hi }, 0))
    const byCompany = SHARES.map((share) => labelAccent('en', { en: 0.999, hi: 0.001 }, share))
    for (const all of [bySound, byCompany]) {
      const indian = all.filter(({ accent }) => accent === 'en-IN').map(({ confidence }) => confidence)
      expect(indian.length).toBeGreaterThan(3)
      expect(indian).toEqual(indian.toSorted((a, b) => a - b))
      expect(Math.min(...indian)).toBeGreaterThanOrEqual(0.5)
      expect(Math.max(...indian)).toBeLessThanOrEqual(1)
      expect(new Set(indian).size).toBeGreaterThan(2)
    }
  })

  it('the ordinary manner of a speaker lies a little below the middle', () => {
    const louder = [0, 10, 20, 30, 40, 50].map((levelDb) => unlike({ levelDb }))
    expect(ordinaryManner(louder.toReversed())?.levelDb).toBeCloseTo(ORDINARY.levelDb + 20)
    expect(ordinaryManner(louder.slice(0, 2))?.levelDb).toBeCloseTo(ORDINARY.levelDb + 4)
    expect(ordinaryManner([])).toBeUndefined()
  })
})

describe('a segment in which the voice changes', () => {
  /** Two people, two seconds each. */
  const voiced = [0, 0, 0, 0, 1, 1, 1, 1].map((voice, i) => ({
    startMs: i * 500,
    endMs: (i + 1) * 500,
    speechMs: 500,
    voice,
    voiceConfidence: 0.9,
  }))
  const tag = (startMs: number) => ({ tag: 'laughing', startMs, endMs: startMs + 100, confidence: 0.9 }) as const

  it('leaves each tag with whom it was heard', async () => {
    // The first speaks again at the end.
    const turns = [
      ...voiced,
      ...voiced.slice(0, 4).map((each) => ({ ...each, startMs: each.startMs + 4000, endMs: each.endMs + 4000 })),
    ]
    const tags = [tag(100), tag(1900), tag(2100), tag(3900), tag(4100), tag(5900)]
    const segment = segmentOf('kya baat hai ji haan bilkul theek hai to phir kal milte', 0, 6000, { tags })
    const parts = await labelSpeakers([segment], turns, createBreather())
    const found = parts.map((part) => [part.text, part.speakerId, part.tags.map(({ startMs }) => startMs)])
    expect(found).toEqual([
      ['kya baat hai ji', 'speaker_1', [100, 1900]],
      ['haan bilkul theek hai', 'speaker_2', [2100, 3900]],
      ['to phir kal milte', 'speaker_1', [4100, 5900]],
    ])
  })

  it('stays whole where its words have no times', async () => {
    const segment = segmentOf('kya baat hai ji haan bilkul', 0, 4000, { words: [] })
    expect(await labelSpeakers([segment], voiced, createBreather())).toHaveLength(1)
  })

  it('is not cut for a word of somebody else', async () => {
    const short = voiced.map((stretch, i) => ({ ...stretch, voice: i === 3 ? 1 : 0 }))
    const segment = segmentOf('kya baat hai ji haan bilkul theek hai', 0, 4000)
    const parts = await labelSpeakers([segment], short, createBreather())
    expect(parts.map(({ speakerId }) => speakerId)).toEqual(['speaker_1'])
  })
})
