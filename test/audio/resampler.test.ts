import { describe, expect, it } from 'vitest'
import { Resampler } from '../../src/audio/resampler.ts'

const tone = (hz: number, rateHz: number, seconds: number) =>
  Float32Array.from({ length: rateHz * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / rateHz))

function resample(samples: Float32Array, fromHz: number, toHz: number, sizes: readonly number[]): Float32Array {
  const resampler = new Resampler(fromHz, toHz)
  const out: number[] = []
  for (let [at, n] = [0, 0]; at < samples.length; n++) {
    const size = sizes[n % sizes.length] ?? 1
    out.push(...resampler.push(samples.slice(at, at + size)))
    at += size
  }
  return Float32Array.from([...out, ...resampler.end()])
}

const loudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length)

const PAIRS = [
  [24_000, 16_000],
  [8_000, 16_000],
  [24_000, 8_000],
  [22_050, 24_000],
  [16_000, 24_000],
] as const

describe('the resampler', () => {
  for (const [fromHz, toHz] of PAIRS) {
    it(`keeps a tone in place and size from ${fromHz} to ${toHz} Hz`, () => {
      const out = resample(tone(440, fromHz, 1), fromHz, toHz, [fromHz])
      const ideal = tone(440, toHz, 1)
      expect(out).toHaveLength(toHz)
      const away = out.slice(200, -200).map((each, at) => Math.abs(each - (ideal[at + 200] ?? 0)))
      expect(Math.max(...away)).toBeLessThan(0.001)
    })

    it(`gives the same from ${fromHz} to ${toHz} Hz whatever the pieces`, () => {
      const sound = tone(300, fromHz, 0.3)
      const whole = resample(sound, fromHz, toHz, [sound.length])
      expect(resample(sound, fromHz, toHz, [1, 7, 480, 3])).toEqual(whole)
    })
  }

  it('lets nothing through that the slower rate cannot hold', () => {
    const out = resample(tone(5_000, 24_000, 1), 24_000, 8_000, [4_800])
    expect(loudness(out.slice(100, -100))).toBeLessThan(0.0005)
  })

  it('waits no longer than two milliseconds', () => {
    for (const [fromHz, toHz] of PAIRS) {
      const given = new Resampler(fromHz, toHz).push(new Float32Array(fromHz)).length
      expect((toHz - given) / toHz).toBeLessThanOrEqual(0.0021)
    }
  })

  it('hands equal rates through', () => {
    const sound = tone(300, 16_000, 0.1)
    expect(resample(sound, 16_000, 16_000, [512])).toEqual(sound)
  })
})
