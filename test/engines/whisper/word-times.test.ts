import { beforeAll, describe, expect, it } from 'vitest'
import { tokenStarts } from '../../../src/engines/whisper/align-tokens.ts'
import { createWhisperRecognizer } from '../../../src/engines/whisper/whisper-recognizer.ts'
import { SAMPLE_RATE_HZ, type SpeechRecognizer } from '../../../src/speech/ports.ts'
import type { Segment } from '../../../src/speech/transcript.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { preparedWhisper } from '../../support/prepared-whisper.ts'

/** Each token looks at the states from its start on, up to the next one's. */
function looking(starts: readonly number[], states: number) {
  const weights = new Float32Array(starts.length * states)
  starts.forEach((start, token) => {
    weights.fill(1, token * states + start, token * states + (starts[token + 1] ?? states))
  })
  return { tokens: starts.length, states, weights }
}

describe('warping tokens onto the sound', () => {
  it('finds where each token begins', () => {
    expect(tokenStarts(looking([0, 12, 30, 47], 80))).toEqual([0, 12, 30, 47])
  })

  it('never goes back, however the attention jumps', () => {
    const attention = looking([40, 10, 60, 20], 80)
    const starts = tokenStarts(attention)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(starts).toHaveLength(4)
  })

  it('has nothing to say about no tokens', () => {
    expect(tokenStarts({ tokens: 0, states: 50, weights: new Float32Array() })).toEqual([])
  })
})

describe('words of a clip', () => {
  const SILENCE_MS = 700
  let recognizer: SpeechRecognizer
  let clip: Float32Array
  let segment: Segment | undefined
  let beamed: Segment | undefined

  beforeAll(async () => {
    const folder = await preparedWhisper('whisper-tiny')
    const speech = await fixtureClip('en-office')
    const silence = (SAMPLE_RATE_HZ * SILENCE_MS) / 1000
    clip = new Float32Array(speech.length + 2 * silence)
    clip.set(speech, silence)
    const hear = async (beams: number) => {
      recognizer = createWhisperRecognizer({ folder, threads: 1, beams })
      const [outcome] = await recognizer.recognize([{ samples: clip, language: 'en' }])
      await recognizer.close()
      return outcome?.ok ? outcome.value.segments[0] : undefined
    }
    segment = await hear(1)
    beamed = await hear(3)
  }, 240_000)

  it('has one time for each written word, in order, inside the segment', () => {
    const words = segment?.words ?? []
    expect(words.map(({ text }) => text)).toEqual(segment?.text.split(/\s+/))
    const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(words[0]?.startMs).toBe(segment?.startMs)
    expect(words.at(-1)?.endMs).toBe(segment?.endMs)
  })

  it('begins and ends with the speech, not with the clip', () => {
    const durationMs = (clip.length * 1000) / SAMPLE_RATE_HZ
    expect(segment?.startMs).toBeGreaterThan(SILENCE_MS - 100)
    expect(segment?.startMs).toBeLessThan(SILENCE_MS + 350)
    expect(segment?.endMs).toBeLessThan(durationMs - SILENCE_MS + 100)
  })

  it('gives words of their own length: they are not spread by letters', () => {
    const perLetter = (segment?.words ?? []).map(({ text, startMs, endMs }) => (endMs - startMs) / text.length)
    expect(Math.max(...perLetter)).toBeGreaterThan(1.5 * Math.min(...perLetter))
  })

  it('is timed in the same way where several texts were weighed', () => {
    expect(beamed?.words).toHaveLength(beamed?.text.split(/\s+/).length ?? 0)
    expect(Math.abs((beamed?.startMs ?? 0) - (segment?.startMs ?? 0))).toBeLessThanOrEqual(100)
  })
})
