import { describe, expect, it } from 'vitest'
import type { Segment } from '../../src/speech/transcript.ts'
import { mergeTranscripts, type PlacedTranscript } from '../../src/transcription/merge-transcripts.ts'
import { segmentOf } from './segments.ts'

const chunk = (startMs: number, endMs: number, segments: Segment[], overlapMs = 0): PlacedTranscript => ({
  startMs,
  endMs,
  overlapMs,
  transcript: { language: 'hi', languageScores: { hi: 1 }, segments, engine: 'test' },
})

describe('merging chunk transcripts', () => {
  it('puts chunks in the order of the file, whatever order they ended in', async () => {
    const merged = await mergeTranscripts(
      [
        chunk(20_000, 25_000, [segmentOf('kal milte hain', 0, 2000)]),
        chunk(0, 9000, [segmentOf('haan bilkul', 100, 900)]),
      ],
      { durationMs: 26_000 },
    )
    expect(merged.text).toBe('haan bilkul kal milte hain')
    expect(merged.segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [100, 900],
      [20_000, 22_000],
    ])
    expect(merged.segments[1]?.words[0]).toMatchObject({ text: 'kal', startMs: 20_000 })
    expect(merged.durationMs).toBe(26_000)
  })

  it('writes words heard by both sides of a hard cut once', async () => {
    const first = chunk(0, 28_000, [segmentOf('main aaj office nahi aa', 24_000, 28_000)])
    const second = chunk(27_000, 40_000, [segmentOf('nahi aa paunga sorry', 0, 4000)], 1000)
    const merged = await mergeTranscripts([first, second], { durationMs: 40_000 })
    expect(merged.text).toBe('main aaj office nahi aa paunga sorry')
    expect(merged.segments[1]?.words.map(({ text }) => text)).toEqual(['paunga', 'sorry'])
  })

  it('lets the whole word win over its half at the cut', async () => {
    const first = chunk(0, 28_000, [segmentOf('yeh to bahut zaroo', 24_000, 28_000)])
    const second = chunk(27_000, 40_000, [segmentOf('to bahut zaroori hai', 0, 4000)], 1000)
    expect((await mergeTranscripts([first, second], { durationMs: 40_000 })).text).toBe('yeh to bahut zaroori hai')
  })

  it('keeps every word and no tag, and no sound by itself, where tags are not wanted', async () => {
    const laugh = { tag: 'laughing', startMs: 100, endMs: 400, confidence: 0.9 } as const
    const chunks = [
      chunk(0, 9000, [segmentOf('haan bilkul', 100, 900, { tags: [laugh] })]),
      chunk(10_000, 11_000, [segmentOf('', 100, 400, { tags: [laugh] })]),
      chunk(20_000, 25_000, [segmentOf('kal milte hain', 0, 2000)]),
    ]
    const merged = await mergeTranscripts(chunks, { durationMs: 26_000, pauseMs: 1500, tags: false })
    expect(merged.text).toBe('haan bilkul kal milte hain')
    expect(merged.segments.map(({ text, tags }) => [text, tags])).toEqual([
      ['haan bilkul', []],
      ['kal milte hain', []],
    ])
    const tagged = await mergeTranscripts(chunks, { durationMs: 26_000 })
    expect(tagged.text).toBe('[laughing] haan bilkul [laughing] kal milte hain')
  })

  it('loses nothing when the two sides agree on nothing', async () => {
    const first = chunk(0, 28_000, [segmentOf('ek do', 24_000, 28_000)])
    const second = chunk(27_000, 40_000, [segmentOf('teen chaar', 0, 4000)], 1000)
    expect((await mergeTranscripts([first, second], { durationMs: 40_000 })).text).toBe('ek do teen chaar')
  })

  it('does not take a repeated word for an overlap when the chunks were cut in silence', async () => {
    const merged = await mergeTranscripts(
      [chunk(0, 5000, [segmentOf('haan haan', 0, 1000)]), chunk(6000, 9000, [segmentOf('haan theek hai', 0, 1000)])],
      { durationMs: 9000 },
    )
    expect(merged.text).toBe('haan haan haan theek hai')
  })

  it('names the languages by how much they are spoken, English inside Hindi included', async () => {
    const mixed = segmentOf('मेरा phone number नोट कर लीजिए please', 0, 6000)
    const english = segmentOf('thank you', 0, 500, { language: 'en' })
    const merged = await mergeTranscripts([chunk(0, 6000, [mixed]), chunk(7000, 8000, [english])], { durationMs: 8000 })
    expect(merged).toMatchObject({ language: 'hi', languages: ['hi', 'en'] })
  })

  it('says nothing about silence', async () => {
    expect(await mergeTranscripts([], { durationMs: 5000 })).toEqual({
      text: '',
      language: null,
      languages: [],
      durationMs: 5000,
      segments: [],
    })
  })

  it('marks a long silence between two segments of one voice, and no other', async () => {
    const segments = [
      segmentOf('ek', 0, 1000),
      segmentOf('do', 2400, 3000),
      segmentOf('teen', 4600, 5000),
      segmentOf('chaar', 7000, 8000, { speakerId: 'speaker_2' }),
    ]
    const merged = await mergeTranscripts([chunk(0, 8000, segments)], { durationMs: 8000, pauseMs: 1500 })
    expect(merged.text).toBe('ek do [pause] teen chaar')
    expect(merged.segments[1]?.tags).toEqual([{ tag: 'pause', startMs: 3000, endMs: 4600, confidence: 1 }])
  })
})
