import { describe, expect, it } from 'vitest'
import { createBreather } from '../../src/audio/breather.ts'
import { describeVoice } from '../../src/audio/features/describe-voice.ts'
import { trackPitch, VOICED } from '../../src/audio/features/track-pitch.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../../src/speech/ports.ts'
import { longestLoopWork } from '../support/event-loop-work.ts'
import { fixtureClip } from '../support/fixture-clip.ts'

/** A buzz like that of vocal folds: twenty harmonics, each weaker than the one before. */
const buzz = (hz: number, seconds: number): Samples =>
  Float32Array.from({ length: seconds * SAMPLE_RATE_HZ }, (_, i) => {
    let sum = 0
    for (let k = 1; k <= 20; k++) sum += Math.sin((2 * Math.PI * hz * k * i) / SAMPLE_RATE_HZ) / (k * k)
    return 0.2 * sum
  })

function noise(seconds: number): Samples {
  let state = 7
  return Float32Array.from({ length: seconds * SAMPLE_RATE_HZ }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return 0.2 * (state / 1_073_741_824 - 1)
  })
}

describe('the pitch track', () => {
  it.each([80, 123, 220, 390])('finds %i Hz within one in a hundred', async (hz) => {
    const { hz: found, aperiodicity } = await trackPitch(buzz(hz, 1), 320, createBreather())
    const middle = found.slice(5, 40)
    expect(Math.max(...middle.map((each) => Math.abs(each / hz - 1)))).toBeLessThan(0.01)
    expect(Math.max(...aperiodicity.slice(5, 40))).toBeLessThan(VOICED)
  })

  it('hears no voice in noise', async () => {
    const { aperiodicity } = await trackPitch(noise(1), 320, createBreather())
    expect(aperiodicity.filter((each) => each < VOICED).length).toBeLessThan(3)
  })
})

describe('the description of a voice', () => {
  it('leaves silence out and says where speech is', async () => {
    const clip = new Float32Array(4 * SAMPLE_RATE_HZ)
    clip.set(buzz(150, 1), 2 * SAMPLE_RATE_HZ)
    const stretches = await describeVoice(clip)
    expect(stretches.map(({ startMs }) => startMs)).toEqual([2000, 2500])
    expect(stretches[0]?.pitch?.[0]).toBeCloseTo(Math.log2(150), 1)
    expect(stretches[0]?.voicedMs).toBeGreaterThan(400)
  })

  it('changes in level alone when the sound is turned up', async () => {
    const clip = await fixtureClip('en-train')
    const quiet = await describeVoice(clip.map((sample) => sample / 4))
    const loud = await describeVoice(clip)
    expect(loud.length).toBe(quiet.length)
    loud.forEach((stretch, i) => {
      expect(stretch.levelDb - (quiet[i]?.levelDb ?? 0)).toBeCloseTo(12, 0)
      expect(stretch.tiltDb).toBeCloseTo(quiet[i]?.tiltDb ?? 0, 0)
      expect(stretch.syllables).toBe(quiet[i]?.syllables)
    })
  })

  it('counts about as many syllables as are said', async () => {
    // The train to the ci-ty leaves at nine in the eve-ning.
    const stretches = await describeVoice(await fixtureClip('en-train'))
    const syllables = stretches.reduce((sum, each) => sum + each.syllables, 0)
    expect(syllables).toBeGreaterThan(8)
    expect(syllables).toBeLessThan(18)
  })

  it('says which side of a call was heard', async () => {
    const sides = Float32Array.from({ length: 100 }, (_, i) => (i < 50 ? -0.9 : 0.8))
    const [left, , right] = await describeVoice(buzz(150, 2), sides)
    expect([left?.side, right?.side]).toEqual([-0.9, 0.8])
  })

  it('never holds up the event loop, however many chunks are described at once', async () => {
    const chunk = buzz(150, 28)
    const busyMs = await longestLoopWork(async () => {
      await Promise.all(Array.from({ length: 4 }, () => describeVoice(chunk)))
    })
    expect(busyMs).toBeLessThan(50)
  })
})
