import { describe, expect, it } from 'vitest'
import type { AudioBlock } from '../../src/audio/audio-block.ts'
import type { EventTagger, LanguageIdentifier, SpeechRecognizer } from '../../src/speech/ports.ts'
import { describeChunks } from '../../src/transcription/describe-chunks.ts'
import { VOICE_WINDOW_MS } from '../../src/transcription/plan-chunks.ts'
import { SoundPlanner } from '../../src/transcription/plan-sounds.ts'
import { createChunkTranscriber } from '../../src/transcription/transcribe-chunks.ts'
import { transcribeFile } from '../../src/transcription/transcribe-file.ts'
import { createLoudnessDetector } from '../support/loudness-detector.ts'
import { segmentOf } from './segments.ts'

const SECOND = 16_000
/** The detector of these tests takes what is above 0.05 for speech: a softer buzz is a sound and no speech. */
const [SPEECH, LAUGH, SILENCE] = [0.2, 0.04, 0]

type Stretch = readonly [level: number, seconds: number]

async function* sound(...stretches: readonly Stretch[]): AsyncGenerator<AudioBlock> {
  for (const [level, seconds] of stretches)
    yield { samples: Float32Array.from({ length: seconds * SECOND }, (_, i) => (i % 2 === 0 ? level : -level)) }
}

const recognized: number[] = []
const recognizer: SpeechRecognizer = {
  name: 'test',
  async recognize(requests) {
    return requests.map(({ samples, language }) => {
      const ms = (samples.length * 1000) / SECOND
      recognized.push(ms)
      return { ok: true, value: { segments: [segmentOf('kya baat hai', 200, ms - 200, { language })] } }
    })
  },
  close: async () => undefined,
}
const identifier: LanguageIdentifier = {
  identify: async (clips) => clips.map(() => ({ hi: 0.95, en: 0.05 })),
  close: async () => undefined,
}
/** Laughs at whatever is soft all through. */
const tagger: EventTagger = {
  async tag(clips) {
    return clips.map(({ samples }) => {
      const endMs = (samples.length * 1000) / SECOND
      const isSoft = samples.every((sample) => Math.abs(sample) < 0.05)
      return { ok: true, value: isSoft ? [{ tag: 'laughing', startMs: 0, endMs, confidence: 0.9 }] : [] }
    })
  },
  close: async () => undefined,
}

async function hear(withSounds: boolean, language: string | undefined, ...stretches: readonly Stretch[]) {
  recognized.length = 0
  const transcriber = describeChunks(createChunkTranscriber({ identifier, specialists: {}, generalist: recognizer }), {
    tagger,
  })
  const parts = { detector: createLoudnessDetector(), identifier, transcriber }
  const { transcript } = await transcribeFile(parts, sound(...stretches), {
    languages: ['hi', 'en'],
    batchSize: 4,
    pauseMs: 1500,
    withSounds,
    ...(language && { language }),
  })
  return transcript
}

describe('a sound where nobody speaks', () => {
  const joke = [
    [SPEECH, 2],
    [SILENCE, 1],
    [LAUGH, 2],
    [SILENCE, 1],
    [SPEECH, 2],
  ] as const

  it.each([
    undefined,
    'hi',
  ])('is a segment of its own with its time, between the words (language %s)', async (language) => {
    const { segments, text } = await hear(true, language, ...joke)
    expect(text).toBe('kya baat hai [laughing] kya baat hai')
    const [, laugh] = segments
    expect(laugh).toMatchObject({ text: '', tags: [{ tag: 'laughing' }] })
    expect(Math.abs((laugh?.startMs ?? 0) - 3000)).toBeLessThanOrEqual(150)
    expect(Math.abs((laugh?.endMs ?? 0) - 5000)).toBeLessThanOrEqual(150)
    expect([laugh?.speakerId, laugh?.tone]).toEqual([undefined, undefined])
  })

  it('is never given to a recogniser, which would invent words for it', async () => {
    await hear(true, undefined, ...joke)
    expect(recognized).toHaveLength(2)
  })

  it('is not cut out when nobody asked', async () => {
    const { text } = await hear(false, undefined, ...joke)
    expect(text).not.toContain('laughing')
  })

  it('does not make a text of a recording without speech', async () => {
    const { text, segments, language } = await hear(true, undefined, [SILENCE, 1], [LAUGH, 2], [SILENCE, 1])
    expect([text, language]).toEqual(['', null])
    expect(segments.map(({ tags }) => tags.map(({ tag }) => tag))).toEqual([['laughing']])
  })

  it('leaves the silence on either side of it a pause of the turn', async () => {
    const { segments } = await hear(true, undefined, [SPEECH, 2], [SILENCE, 3], [LAUGH, 1], [SILENCE, 3], [SPEECH, 2])
    expect(segments.map(({ tags }) => tags.map(({ tag }) => tag))).toEqual([['pause'], ['laughing', 'pause'], []])
  })
})

describe('planning sounds', () => {
  /** Levels in decibels of full scale, a window each; `S` before a number: speech. */
  function plan(...runs: readonly (readonly [levelDb: number, seconds: number, isSpeech?: boolean])[]) {
    const planner = new SoundPlanner()
    const spans: (readonly number[])[] = []
    let startMs = 0
    for (const [levelDb, seconds, isSpeech = false] of runs) {
      for (let left = Math.round((seconds * 1000) / VOICE_WINDOW_MS); left > 0; left--) {
        const span = planner.push({ startMs, levelDb, isSpeech })
        if (span) spans.push(span)
        startMs += VOICE_WINDOW_MS
      }
    }
    const last = planner.end(startMs)
    return last ? [...spans, last] : spans
  }
  const total = (spans: readonly (readonly number[])[]) => spans.reduce((sum, [a = 0, b = 0]) => sum + b - a, 0)

  it('leaves clicks and what is barely heard alone', () => {
    expect(plan([-80, 2], [-20, 0.2], [-80, 2], [-55, 3], [-80, 1])).toEqual([])
  })

  it('takes the bursts of one laugh together', () => {
    expect(plan([-80, 1], [-20, 0.4], [-70, 1.2], [-22, 0.5], [-80, 2])).toHaveLength(1)
    expect(plan([-80, 1], [-20, 0.4], [-70, 1.8], [-22, 0.5], [-80, 2])).toHaveLength(2)
  })

  it('listens to the beginning of applause that goes on', () => {
    const [[startMs = 0, endMs = 0] = [], ...others] = plan([-80, 1], [-15, 9.5], [-80, 3])
    expect([Math.abs(startMs - 900) < 100, others]).toEqual([true, []])
    expect(endMs - startMs).toBeGreaterThan(6_000)
    expect(endMs - startMs).toBeLessThan(7_000)
  })

  it('does not reach into speech', () => {
    const [[, endMs = 0] = []] = plan([-80, 1], [-20, 3], [-20, 2, true], [-80, 1])
    expect(endMs).toBeLessThanOrEqual(4000 - 200 + VOICE_WINDOW_MS)
  })

  it('listens to a hum that never ends only for a moment', () => {
    expect(total(plan([-40, 600]))).toBeLessThan(15_000)
  })

  it('spends no more than a twentieth of a noisy recording on its noises', () => {
    const noisy = Array.from(
      { length: 150 },
      () =>
        [
          [-25, 2],
          [-75, 2],
        ] as const,
    ).flat()
    const spent = total(plan(...noisy))
    expect(spent).toBeGreaterThan(30_000)
    expect(spent).toBeLessThan(6_000 + 0.05 * 600_000 + 200)
  })
})
