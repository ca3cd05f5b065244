import { describe, expect, it } from 'vitest'
import { encodeWav, parseWav } from '../../src/audio/wav.ts'

describe('wav of a chunk', () => {
  it('gives back the samples it was made from, to a sixteenth bit', () => {
    const samples = Float32Array.from({ length: 16_001 }, (_, index) => Math.sin(index / 20))
    const back = parseWav(encodeWav(samples))
    expect(back.length).toBe(samples.length)
    const worst = back.reduce((most, sample, index) => Math.max(most, Math.abs(sample - (samples[index] ?? 0))), 0)
    expect(worst).toBeLessThanOrEqual(1 / 32_768)
  })

  it('clips what is too loud instead of wrapping it round', () => {
    const back = parseWav(encodeWav(Float32Array.of(2, -2)))
    expect(back[0]).toBeCloseTo(1, 3)
    expect(back[1]).toBe(-1)
  })

  it.each([
    ['a cut file', (wav: Uint8Array) => wav.subarray(0, wav.length - 2)],
    ['a header alone', (wav: Uint8Array) => wav.subarray(0, 43)],
    ['another rate', (wav: Uint8Array) => Uint8Array.from(wav).fill(1, 24, 25)],
  ])('refuses %s', (_, damage) => {
    const wav = encodeWav(new Float32Array(100))
    expect(() => parseWav(damage(wav))).toThrow(expect.objectContaining({ code: 'audio_corrupt' }))
  })
})
