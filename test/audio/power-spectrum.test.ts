import { expect, test } from 'vitest'
import { PowerSpectrum } from '../../src/audio/features/power-spectrum.ts'

/** What the transform is by definition. */
function plainly(frame: Float64Array): number[] {
  return Array.from({ length: frame.length / 2 + 1 }, (_, bin) => {
    const turn = (2 * Math.PI * bin) / frame.length
    const re = frame.reduce((sum, value, at) => sum + value * Math.cos(turn * at), 0)
    const im = frame.reduce((sum, value, at) => sum + value * Math.sin(turn * at), 0)
    return re * re + im * im
  })
}

// Halves of two, four, five, three, seven and their mixtures, Whisper's 400 among them.
test.each([4, 8, 10, 6, 14, 30, 400, 512, 840])('gives the powers of a frame of %i samples', (samples) => {
  const frame = Float64Array.from({ length: samples }, (_, at) => Math.sin(at * at) + (at % 7) / 7)
  const spectrum = new PowerSpectrum(samples)
  const powers = new Float64Array(spectrum.bins)
  spectrum.compute(frame, powers)
  plainly(frame).forEach((power, bin) => {
    expect(powers[bin]).toBeCloseTo(power, 6)
  })
})
