import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/engines/whisper/seeded-random.ts'
import { createWhisperLanguageIdentifier } from '../../../src/engines/whisper/whisper-language-identifier.ts'
import { createWhisperRecognizer } from '../../../src/engines/whisper/whisper-recognizer.ts'
import {
  CARES,
  type LanguageIdentifier,
  type Outcome,
  type Recognition,
  SAMPLE_RATE_HZ,
  type SpeechRecognizer,
} from '../../../src/speech/ports.ts'
import { longestLoopWork } from '../../support/event-loop-work.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { preparedWhisper } from '../../support/prepared-whisper.ts'

const textOf = (outcome: Outcome<Recognition> | undefined): string => {
  if (!outcome?.ok) throw outcome?.error ?? new Error('no outcome')
  return outcome.value.segments.map(({ text }) => text).join(' ')
}
const english = async (name: string) => ({ samples: await fixtureClip(name), language: 'en' })

describe('Whisper', () => {
  let tiny: SpeechRecognizer
  let identifier: LanguageIdentifier
  let folder = ''

  beforeAll(async () => {
    folder = await preparedWhisper('whisper-tiny')
    tiny = createWhisperRecognizer({ folder, threads: 1 })
    identifier = createWhisperLanguageIdentifier({ folder, threads: 1 })
  }, 240_000)

  afterAll(async () => {
    await Promise.all([tiny.close(), identifier.close()])
  })

  it('writes clips of different length in one decode as it writes each alone', async () => {
    const recognizer = createWhisperRecognizer({ folder, threads: 1, taught: ['hi', 'en'] })
    const long = await english('en-train')
    const clips = [await english('en-office'), long, { ...long, samples: long.samples.slice(0, 24_000) }]
    const together = (await recognizer.recognize(clips)).map(textOf)
    expect(together[0]?.toLowerCase()).toContain('thank you for calling our office')
    const alone: string[] = []
    for (const clip of clips) alone.push(textOf((await recognizer.recognize([clip]))[0]))
    await recognizer.close()
    expect(together).toEqual(alone)
  }, 120_000)

  it('times its words inside the clip, in order, and says how sure it is', async () => {
    const clip = await english('en-train')
    const [outcome] = await tiny.recognize([clip])
    const segment = outcome?.ok ? outcome.value.segments[0] : undefined
    const times = segment?.words.flatMap(({ startMs, endMs }) => [startMs, endMs]) ?? []
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual((clip.samples.length * 1000) / 16_000 + 1)
    expect(segment?.confidence).toBeGreaterThan(0.5)
  }, 60_000)

  it('says nothing to silence, noise and a tone', async () => {
    const random = seededRandom(1)
    const make = (sample: (i: number) => number) => Float32Array.from({ length: 3 * 16_000 }, (_, i) => sample(i))
    const clips = [make(() => 0), make(() => 0.1 * (2 * random() - 1)), make((i) => 0.2 * Math.sin(i * 0.17))]
    const outcomes = await tiny.recognize(clips.map((samples) => ({ samples, language: 'hi' })))
    expect(outcomes.map(textOf)).toEqual(['', '', ''])
  }, 60_000)

  it('refuses a clip that is too long and takes the others', async () => {
    const outcomes = await tiny.recognize([
      { samples: new Float32Array(31 * 16_000), language: 'en' },
      await english('en-office'),
    ])
    expect(outcomes[0]).toMatchObject({ ok: false, error: { code: 'audio_too_long' } })
    expect(outcomes[1]?.ok).toBe(true)
  }, 60_000)

  it('leaves the event loop free while it works, and stops when told to', async () => {
    const clip = await english('en-train')
    await tiny.recognize([clip])
    const longestMs = await longestLoopWork(async () => {
      const abort = new AbortController()
      const running = tiny.recognize([clip, clip, clip, clip], abort.signal)
      abort.abort()
      await expect(running).rejects.toMatchObject({ code: 'cancelled' })
      await tiny.recognize([clip])
    })
    expect(longestMs).toBeLessThan(50)
  }, 60_000)

  it('tells Hindi from English, among the allowed languages only', async () => {
    const clips = await Promise.all(['hi-rain', 'en-train', 'hi-shop', 'en-report'].map(fixtureClip))
    const scores = await identifier.identify(clips, ['hi', 'en'])
    expect(scores.map(({ hi = 0, en = 0 }) => (hi > en ? 'hi' : 'en'))).toEqual(['hi', 'en', 'hi', 'en'])
    for (const { hi = 0, en = 0 } of scores) expect(hi + en).toBeCloseTo(1)
    expect(await identifier.identify(clips.slice(0, 1), ['en'])).toEqual([{ en: 1 }])
  }, 60_000)

  it('is surer of a second of English the more care it takes', async () => {
    const samples = (await fixtureClip('en-report')).slice(SAMPLE_RATE_HZ, 2 * SAMPLE_RATE_HZ)
    const [quick = 0, careful = 0, thorough = 0] = await Promise.all(
      CARES.map(async (care) => (await identifier.identify([samples], ['hi', 'en'], { care }))[0]?.en),
    )
    expect(quick).toBeLessThan(0.9)
    expect(careful).toBeGreaterThan(quick)
    expect(thorough).toBeGreaterThan(0.9)
  }, 60_000)
})

describe('Whisper-small', () => {
  it('writes Hindi in Devanagari', async () => {
    const small = createWhisperRecognizer({ folder: await preparedWhisper('whisper-small'), threads: 1 })
    try {
      const samples = await Promise.all(['hi-bank', 'hi-rain'].map(fixtureClip))
      const outcomes = await small.recognize(samples.map((each) => ({ samples: each, language: 'hi' })))
      const [bank, rain] = outcomes.map(textOf)
      expect(bank).toMatch(/नमस्ते/)
      expect(rain).toMatch(/^कल सुबह/)
    } finally {
      await small.close()
    }
  }, 600_000)
})
