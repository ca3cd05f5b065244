import { describe, expect, it } from 'vitest'
import { createDownsampler, fromBase64, levelOf, toBase64, toFloats, toPcm } from '../../client/src/realtime/pcm.ts'
import { PlaybackClock } from '../../client/src/realtime/playback-clock.ts'

describe('sound', () => {
  it('comes back from base64 as it was, however long', () => {
    const pcm = Int16Array.from({ length: 100_001 }, (_, at) => ((at * 7919) % 65_536) - 32_768)
    expect(fromBase64(toBase64(pcm))).toEqual(pcm)
    expect(fromBase64(toBase64(pcm.subarray(3, 5)))).toEqual(pcm.slice(3, 5))
  })

  it('is cut at the loudest that 16 bits can hold', () => {
    expect([...toPcm(Float32Array.of(-2, -1, 0, 0.5, 3))]).toEqual([-32_767, -32_767, 0, 16_384, 32_767])
    expect(toFloats(Int16Array.of(-32_768, 16_384))).toEqual(Float32Array.of(-1, 0.5))
  })

  it('keeps its length and pitch at another rate, however it is cut up', () => {
    const tone = Float32Array.from({ length: 44_100 }, (_, at) => Math.sin((2 * Math.PI * 440 * at) / 44_100))
    const whole = createDownsampler(44_100)(tone)
    const convert = createDownsampler(44_100)
    const pieces = Array.from({ length: 345 }, (_, at) => [...convert(tone.subarray(at * 128, at * 128 + 128))]).flat()
    expect(whole.length).toBeGreaterThan(23_998)
    expect(Float32Array.from(pieces)).toEqual(whole.subarray(0, pieces.length))
    const crossings = whole.filter((sample, at) => at > 0 && sample >= 0 && (whole[at - 1] ?? 0) < 0).length
    expect(Math.abs(crossings - 440)).toBeLessThanOrEqual(1)
  })

  it('has a level between silence and the loudest', () => {
    expect(levelOf(new Int16Array(100))).toBe(0)
    expect(levelOf(new Int16Array(100).fill(32_767))).toBeCloseTo(1, 3)
    expect(levelOf(new Int16Array(100).fill(1000))).toBeGreaterThan(0.3)
  })
})

describe('the clock of a player', () => {
  it('plays pieces without a gap, and knows where in its item each is', () => {
    const clock = new PlaybackClock()
    expect(clock.add('a', 0, 24_000, 5)).toBeCloseTo(5.05)
    expect(clock.add('a', 0, 12_000, 5.3)).toBeCloseTo(6.05)
    expect(clock.add('b', 0, 24_000, 5.4)).toBeCloseTo(6.55)
    expect(clock.heard(5)).toEqual({ itemId: 'a', contentIndex: 0, playedMs: 0 })
    expect(clock.heard(6.3)).toEqual({ itemId: 'a', contentIndex: 0, playedMs: 1250 })
    expect(clock.heard(6.75)).toEqual({ itemId: 'b', contentIndex: 0, playedMs: 200 })
    expect([clock.isPlaying(7.5), clock.isPlaying(7.6), clock.heard(7.6)]).toEqual([true, false, undefined])
  })

  it('counts on in an item whose sound stopped for a while', () => {
    const clock = new PlaybackClock()
    clock.add('a', 0, 24_000, 0)
    clock.add('a', 0, 24_000, 10)
    expect(clock.heard(10.55)).toEqual({ itemId: 'a', contentIndex: 0, playedMs: 1500 })
  })

  it('is empty after a cut', () => {
    const clock = new PlaybackClock()
    clock.add('a', 0, 24_000, 0)
    clock.clear()
    expect([clock.heard(0.5), clock.isPlaying(0.5)]).toEqual([undefined, false])
  })
})
