import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { describeVoice } from '../../src/audio/features/describe-voice.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../../src/speech/ports.ts'
import type { Segment } from '../../src/speech/transcript.ts'
import { mergeTranscripts, type PlacedTranscript } from '../../src/transcription/merge-transcripts.ts'
import { labelAccent } from '../../src/transcription/voice/label-accent.ts'
import { longestLoopWork } from '../support/event-loop-work.ts'
import { fixtureClip } from '../support/fixture-clip.ts'
import { segmentOf } from './segments.ts'

type Part = { readonly samples: Samples; readonly language?: string; readonly balance?: Float32Array }

/** Chunks one after the other with a second between them, each one segment of six words. */
function transcribed(parts: readonly Part[]): Promise<PlacedTranscript[]> {
  let startMs = 0
  const chunks = parts.map(async ({ samples, language = 'hi', balance }, at) => {
    const lengthMs = Math.round((samples.length * 1000) / SAMPLE_RATE_HZ)
    const text = Array.from({ length: 6 }, (_, i) => `w${at}.${i}`).join(' ')
    const segments = [segmentOf(text, 0, lengthMs, { language })]
    const languageScores = language === 'hi' ? { hi: 0.99, en: 0.01 } : { hi: 0.005, en: 0.995 }
    const place = { startMs, endMs: startMs + lengthMs, overlapMs: 0 }
    startMs += lengthMs + 1000
    const voice = await describeVoice(samples, balance)
    return { ...place, transcript: { language, languageScores, segments, engine: 'test', voice } }
  })
  return Promise.all(chunks)
}

const merged = async (chunks: readonly PlacedTranscript[]): Promise<readonly Segment[]> =>
  (await mergeTranscripts(chunks, { durationMs: 60_000 })).segments

const speakersOf = (segments: readonly Segment[]) => segments.map(({ speakerId }) => speakerId)

async function callTurns(): Promise<{ voice: string; samples: Samples }[]> {
  const call = await fixtureClip('hi-call')
  const rows = (await readFile(new URL('../fixtures/turns.tsv', import.meta.url), 'utf8')).trim().split('\n').slice(1)
  return rows.map((row) => {
    const [, start, end, voice = ''] = row.split('\t')
    return { voice, samples: call.slice(Number(start) * SAMPLE_RATE_HZ, Number(end) * SAMPLE_RATE_HZ) }
  })
}

function joined(...parts: readonly Samples[]): Samples {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const louder = (samples: Samples, db: number): Samples => samples.map((sample) => sample * 10 ** (db / 20))
/** Played faster: higher. */
const higher = (samples: Samples, by: number): Samples =>
  Float32Array.from({ length: Math.floor(samples.length / by) }, (_, i) => samples[Math.round(i * by)] ?? 0)
/** Differences of neighbours grow with frequency. */
const brighter = (samples: Samples): Samples => samples.map((sample, i) => 2 * (sample - 0.9 * (samples[i - 1] ?? 0)))
const duller = (samples: Samples): Samples => {
  let low = 0
  return samples.map((sample) => (low += 0.12 * (sample - low)))
}
/** The loudness of speech on noise: a voice without vocal folds. */
function whispered(samples: Samples): Samples {
  let [state, envelope] = [7, 0]
  return samples.map((sample) => {
    envelope += 0.005 * (Math.abs(sample) - envelope)
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return 0.8 * envelope * (state / 1_073_741_824 - 1)
  })
}

describe('who speaks', () => {
  it('names both voices of a call in order of first speech, and again so on the next run', async () => {
    const turns = await callTurns()
    const chunks = await transcribed(turns)
    const speakers = speakersOf(await merged(chunks))
    expect(speakers).toEqual(turns.map(({ voice }) => (voice === 'ananya' ? 'speaker_1' : 'speaker_2')))
    expect(speakersOf(await merged(chunks.toReversed()))).toEqual(speakers)
  })

  it('hears one voice as one', async () => {
    const own = (await callTurns()).filter(({ voice }) => voice === 'ananya')
    expect(new Set(speakersOf(await merged(await transcribed(own))))).toEqual(new Set(['speaker_1']))
  })

  it('cuts a segment where the voice changes, between two words', async () => {
    const turns = await callTurns()
    const [first, second] = turns.map(({ samples }) => samples.subarray(0, 2 * SAMPLE_RATE_HZ))
    const both = { samples: joined(first ?? new Float32Array(), second ?? new Float32Array()) }
    const segments = await merged(await transcribed([both, ...turns.slice(2)]))
    expect(segments.slice(0, 2).map(({ text, speakerId }) => [text, speakerId])).toEqual([
      ['w0.0 w0.1 w0.2', 'speaker_1'],
      ['w0.3 w0.4 w0.5', 'speaker_2'],
    ])
    expect(segments[0]?.endMs).toBeLessThanOrEqual(segments[1]?.startMs ?? 0)
  })

  it('believes the channels of a call more than the sound of the voices', async () => {
    const [turn] = await callTurns()
    const samples = turn?.samples ?? new Float32Array()
    const side = (value: number) => new Float32Array(Math.ceil(samples.length / 320)).fill(value)
    const parts = [side(-0.95), side(0.9), side(-0.9), side(0.95)].map((balance) => ({ samples, balance }))
    expect(speakersOf(await merged(await transcribed(parts)))).toEqual([
      'speaker_1',
      'speaker_2',
      'speaker_1',
      'speaker_2',
    ])
  })
})

describe('a long recording', () => {
  /** Two people in turn for three hours, as the chunk stage would have described them. */
  async function hours(count: number): Promise<PlacedTranscript[]> {
    const turns = await callTurns()
    const described = await transcribed(turns)
    const lengthMs = Math.max(...described.map(({ endMs }) => endMs)) + 1000
    return Array.from({ length: Math.ceil((count * 3_600_000) / lengthMs) }, (_, round) =>
      described.map((chunk) => ({
        ...chunk,
        startMs: chunk.startMs + round * lengthMs,
        endMs: chunk.endMs + round * lengthMs,
      })),
    ).flat()
  }

  it('is merged without holding up the event loop, both voices told apart to its end', async () => {
    const chunks = await hours(3)
    let segments: readonly Segment[] = []
    const busyMs = await longestLoopWork(async () => {
      segments = (await mergeTranscripts(chunks, { durationMs: 3 * 3_600_000, pauseMs: 1500 })).segments
    })
    expect(busyMs).toBeLessThan(50)
    const voices = (await callTurns()).map(({ voice }) => (voice === 'ananya' ? 'speaker_1' : 'speaker_2'))
    const heard = chunks.slice(-voices.length).map(({ startMs, endMs }) => {
      const middleMs = (startMs + endMs) / 2
      return segments.find((segment) => segment.startMs <= middleMs && middleMs < segment.endMs)?.speakerId
    })
    expect(heard).toEqual(voices)
  }, 60_000)
})

describe('how it is said', () => {
  /** The last turn of the left side of a call, changed: who speaks is known from the channels. */
  const manner = async (change: (samples: Samples) => Samples) => {
    const turns = (await callTurns())
      .slice(0, 6)
      .map(({ voice, samples }) => ({ side: voice === 'ananya' ? -0.9 : 0.9, samples }))
    const [first] = turns
    const changed = { side: -0.9, samples: change(first?.samples ?? new Float32Array()) }
    const parts = [...turns, changed].map(({ side, samples }) => ({
      samples,
      balance: new Float32Array(Math.ceil(samples.length / 320)).fill(side),
    }))
    return (await merged(await transcribed(parts))).at(-1)
  }
  const tagsOf = (segment: Segment | undefined) => segment?.tags.map(({ tag }) => tag)

  it('does not take a louder recording for shouting', async () => {
    expect(tagsOf(await manner((samples) => louder(samples, 12)))).toEqual([])
  })

  it('tags a voice that is louder, brighter and higher as shouting', async () => {
    const shouted = await manner((samples) => louder(brighter(higher(samples, 1.3)), 15))
    expect(tagsOf(shouted)).toEqual(['shouting'])
    expect(shouted?.tags[0]?.confidence).toBeGreaterThan(0.5)
  })

  it('tags speech without voice as whispering, and soft speech not', async () => {
    expect(tagsOf(await manner((samples) => louder(whispered(samples), -6)))).toEqual(['whispering'])
    expect(tagsOf(await manner((samples) => louder(samples, -9)))).toEqual([])
  })

  it('gives contrasting voices contrasting tones, each with how sure it is', async () => {
    const angry = await manner((samples) => louder(brighter(higher(samples, 1.3)), 12))
    const low = await manner((samples) => louder(duller(samples), -2))
    expect(['angry', 'excited']).toContain(angry?.tone)
    expect(['sad', 'calm']).toContain(low?.tone)
    expect(angry?.toneConfidence).toBeGreaterThan(0.3)
  })

  it('calls an ordinary turn neutral', async () => {
    expect((await manner((samples) => samples))?.tone).toBe('neutral')
  })
})

describe('the accent', () => {
  it('is of India for Hindi and unknown for plain English', () => {
    expect(labelAccent('hi', { hi: 0.99, en: 0.01 }, 1)).toMatchObject({ accent: 'hi-IN' })
    expect(labelAccent('en', { hi: 0.001, en: 0.999 }, 0)).toMatchObject({ accent: null })
  })

  it('is of India for English with Hindi in it, or by somebody who also speaks Hindi', () => {
    expect(labelAccent('en', { hi: 0.1, en: 0.9 }, 0)).toMatchObject({ accent: 'en-IN' })
    expect(labelAccent('en', { hi: 0.001, en: 0.999 }, 0.5)).toMatchObject({ accent: 'en-IN' })
  })

  it('is not said where the language itself is in doubt', () => {
    expect(labelAccent('hi', { hi: 0.55, en: 0.45 }, 1)).toMatchObject({ accent: null })
  })

  it('reaches the segments of a file', async () => {
    const [hindi, english] = [await fixtureClip('hi-bank'), await fixtureClip('en-office')]
    const segments = await merged(await transcribed([{ samples: hindi }, { samples: english, language: 'en' }]))
    expect(segments[0]?.accent).toBe('hi-IN')
    expect(segments[0]?.accentConfidence).toBe(0.99)
  })
})

describe('switched off', () => {
  it('says nothing of voices that were not described', async () => {
    const [segment] = await merged([
      {
        startMs: 0,
        endMs: 1000,
        overlapMs: 0,
        transcript: {
          language: 'hi',
          languageScores: { hi: 1 },
          segments: [segmentOf('haan', 0, 900)],
          engine: 'test',
        },
      },
    ])
    expect([segment?.speakerId, segment?.tone, segment?.accent]).toEqual([undefined, undefined, undefined])
  })

  it('writes no tag where tags are not wanted', async () => {
    const [turn] = await callTurns()
    const chunks = (await transcribed([{ samples: turn?.samples ?? new Float32Array() }])).map((chunk) => {
      const laugh = { tag: 'laughing', startMs: 0, endMs: 500, confidence: 1 } as const
      const segments = chunk.transcript.segments.map((segment) => ({ ...segment, tags: [laugh] }))
      return { ...chunk, transcript: { ...chunk.transcript, segments } }
    })
    expect((await mergeTranscripts(chunks, { durationMs: 9000 })).text).toContain('[laughing]')
    expect((await mergeTranscripts(chunks, { durationMs: 9000, tags: false })).text).not.toContain('[')
  })
})
