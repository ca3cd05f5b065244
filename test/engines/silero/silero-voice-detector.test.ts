import { afterAll, describe, expect, it } from 'vitest'
import { createSileroVoiceDetector } from '../../../src/engines/silero/silero-voice-detector.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { testModel } from '../../support/models.ts'

const model = Object.values((await testModel('silero-vad-v6')).files)[0] ?? ''

describe('Silero', () => {
  const detector = createSileroVoiceDetector({ model })
  afterAll(() => detector.close())

  it('hears speech, and none in silence', async () => {
    const stream = await detector.open()
    const spoken = await stream.push(await fixtureClip('hi-rain'))
    expect(spoken.filter((each) => each > 0.8).length / spoken.length).toBeGreaterThan(0.6)
    const silent = await (await detector.open()).push(new Float32Array(2 * 16_000))
    expect(Math.max(...silent)).toBeLessThan(0.3)
  })

  it('gives one probability for each full window, however the samples come', async () => {
    const samples = await fixtureClip('en-train')
    const whole = await (await detector.open()).push(samples)
    expect(whole).toHaveLength(Math.floor(samples.length / 512))
    const stream = await detector.open()
    const parts: number[] = []
    for (let at = 0; at < samples.length; at += 3_333) parts.push(...(await stream.push(samples.slice(at, at + 3_333))))
    expect(parts.map((each) => each.toFixed(5))).toEqual(Array.from(whole, (each) => each.toFixed(5)))
  })

  it('keeps streams of different length apart that are pushed at the same time', async () => {
    const silence = new Float32Array(2 * 16_000)
    const clips = [...(await Promise.all(['hi-shop', 'en-train', 'hi-bank'].map(fixtureClip))), silence]
    const alone: Float32Array[] = []
    for (const clip of clips) alone.push(await (await detector.open(true)).push(clip))
    const together = await Promise.all(clips.map(async (clip) => (await detector.open(true)).push(clip)))
    expect(together.map(rounded)).toEqual(alone.map(rounded))
    expect(Math.max(...(together.at(-1) ?? []))).toBeLessThan(0.3)
  })
})

/** Sums of many numbers side by side end in other last digits. */
const rounded = (probabilities: Float32Array) => Array.from(probabilities, (each) => Math.round(each * 1_000))
