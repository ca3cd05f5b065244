import { describe, expect, it } from 'vitest'
import { alignByEnergy } from '../../../src/engines/host/align-by-energy.ts'
import { soundLevels } from '../../../src/engines/host/sound-levels.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'

/** Bursts of a tone with a faint hiss throughout, as [start, end] in milliseconds. */
function bursts(spans: readonly (readonly [number, number])[], durationMs: number): Float32Array {
  const sounds = (ms: number) => spans.some(([start, end]) => ms >= start && ms < end)
  return Float32Array.from({ length: durationMs * 16 }, (_, i) => {
    const hiss = 0.0005 * Math.sin(i * i * 0.37)
    return sounds(i / 16) ? 0.3 * Math.sin(i * 0.2) + hiss : hiss
  })
}

describe('times of words from the sound alone', () => {
  it('puts words onto bursts, whatever the silence between them', () => {
    const spans = [
      [200, 500],
      [900, 1300],
      [1380, 1650],
    ] as const
    const words = alignByEnergy('one seven two', soundLevels(bursts(spans, 2000)), 0, 2000)
    expect(words.map(({ text }) => text)).toEqual(['one', 'seven', 'two'])
    words.forEach(({ startMs, endMs }, i) => {
      expect(Math.abs(startMs - (spans[i]?.[0] ?? 0))).toBeLessThanOrEqual(40)
      expect(Math.abs(endMs - (spans[i]?.[1] ?? 0))).toBeLessThanOrEqual(40)
    })
  })

  it('shares one burst by the letters', () => {
    const [first, second] = alignByEnergy('a considerable', soundLevels(bursts([[100, 1500]], 1600)), 0, 1600)
    expect(first?.startMs).toBeLessThanOrEqual(140)
    expect((second?.endMs ?? 0) - (second?.startMs ?? 0)).toBeGreaterThan(
      2 * ((first?.endMs ?? 0) - (first?.startMs ?? 0)),
    )
  })

  it('leaves no word in the silence around speech', async () => {
    const samples = await fixtureClip('en-office')
    const durationMs = samples.length / 16
    const text = 'Good morning, thank you for calling our office.'
    const words = alignByEnergy(text, soundLevels(samples), 0, durationMs)
    // The fixture is spoken between two silences of 270 ms.
    expect(Math.abs((words[0]?.startMs ?? 0) - 270)).toBeLessThanOrEqual(100)
    expect(Math.abs((words.at(-1)?.endMs ?? 0) - (durationMs - 270))).toBeLessThanOrEqual(100)
    expect(Math.min(...words.map(({ startMs, endMs }) => endMs - startMs))).toBeGreaterThan(50)
  })

  it('keeps words in order and inside the stretch, even with nothing to hear and more words than time', () => {
    const words = alignByEnergy('so many words in so little time', soundLevels(new Float32Array(800)), 0, 50)
    expect(words).toHaveLength(7)
    const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.every((ms) => ms >= 0 && ms <= 50)).toBe(true)
  })
})
