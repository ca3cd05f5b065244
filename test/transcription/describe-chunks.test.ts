import { describe, expect, it } from 'vitest'
import type { ChunkTranscriber, EventTagger, HeardTag } from '../../src/speech/ports.ts'
import type { Segment } from '../../src/speech/transcript.ts'
import { describeChunks } from '../../src/transcription/describe-chunks.ts'
import { segmentOf } from './segments.ts'

const SEGMENTS = [
  segmentOf('kya baat hai', 200, 900),
  segmentOf('haan', 1500, 1900),
  segmentOf('theek hai', 2500, 3000),
]
const laugh = (startMs: number, endMs: number): HeardTag => ({ tag: 'laughing', startMs, endMs, confidence: 0.9 })

/** What is left of `segments` when these tags are heard in their chunk; no tags: the tagger fails. */
async function described(segments: readonly Segment[], tags?: readonly HeardTag[]) {
  const transcriber: ChunkTranscriber = {
    transcribe: async (requests) =>
      requests.map(() => ({
        ok: true,
        value: { language: 'hi', languageScores: { hi: 0.9 }, segments, engine: 'test' },
      })),
    close: async () => undefined,
  }
  const tagger: EventTagger = {
    tag: async () => [tags ? { ok: true, value: tags } : { ok: false, error: new Error('no') }],
    close: async () => undefined,
  }
  const request = { samples: new Float32Array(16_000).fill(0.1), languages: ['hi', 'en'] as const }
  const [outcome] = await describeChunks(transcriber, { tagger }).transcribe([request])
  if (!outcome?.ok) throw outcome?.error ?? new Error('no answer')
  return outcome.value.segments.map(({ text, tags }) => [text, tags] as const)
}

describe('tags among the segments of a chunk', () => {
  it.each([
    ['inside one', laugh(1600, 1800), 1],
    ['nearer to the one before', laugh(950, 1100), 0],
    ['nearer to the one behind', laugh(2300, 2450), 2],
    ['before all', laugh(0, 100), 0],
    ['behind all', laugh(3300, 3500), 2],
  ])('a tag %s belongs to it, whose own tags stay', async (_, tag, owner) => {
    const pause: HeardTag = { tag: 'pause', startMs: 0, endMs: 1, confidence: 1 }
    const tagged = SEGMENTS.map((segment) => ({ ...segment, tags: [pause] }))
    expect(await described(tagged, [tag])).toEqual(
      SEGMENTS.map(({ text }, at) => [text, at === owner ? [pause, tag] : [pause]]),
    )
  })

  it('where nothing is said each is a segment of its own', async () => {
    const tags = [laugh(0, 400), laugh(800, 1200)]
    expect(await described([], tags)).toEqual(tags.map((tag) => ['', [tag]]))
  })

  it('keeps no word that was written for a burst of laughter', async () => {
    expect(await described(SEGMENTS.slice(0, 1), [{ ...laugh(50, 900), isAll: true }])).toEqual([
      ['', [laugh(50, 900)]],
    ])
  })

  it('keeps the text as it is where the tagger fails', async () => {
    expect(await described(SEGMENTS)).toEqual(SEGMENTS.map(({ text }) => [text, []]))
  })
})
