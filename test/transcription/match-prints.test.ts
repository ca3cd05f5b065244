import { describe, expect, it } from 'vitest'
import type { SpeakerModel } from '../../src/speech/ports.ts'
import type { VoicePrint } from '../../src/speech/transcript.ts'
import { describeChunks } from '../../src/transcription/describe-chunks.ts'
import { mergeTranscripts } from '../../src/transcription/merge-transcripts.ts'
import { matchPrints } from '../../src/transcription/voice/match-prints.ts'
import { fixtureClip } from '../support/fixture-clip.ts'
import { segmentOf } from './segments.ts'

const turn = (startMs: number, endMs: number, ...print: number[]): VoicePrint => ({ startMs, endMs, print })

describe('prints of voices', () => {
  it('that point the same way are one voice, in whatever chunk they are', () => {
    const prints = [turn(0, 900, 1, 0.1, 0), turn(1000, 2000, 0, 1, 0.2), turn(3000, 4000, 0.9, 0, 0.1)]
    expect(matchPrints(prints).map(({ voice }) => voice)).toEqual([0, 1, 0])
    expect(matchPrints(prints)[0]?.confidence).toBeGreaterThan(0.9)
  })

  it('count by where they point, however long they are', () => {
    const prints = [turn(0, 1, 0.01, 0.002), turn(1, 2, 0, 50), turn(2, 3, 80, 5), turn(3, 4, 0.001, 0.03)]
    const matched = matchPrints(prints)
    expect(matched.map(({ voice }) => voice)).toEqual([0, 1, 0, 1])
    for (const { confidence } of matched) expect(confidence).toBeGreaterThan(0.95)
  })

  it('are found as many voices as there are', () => {
    const prints = [turn(0, 1, 1, 0, 0), turn(1, 2, 0, 1, 0), turn(2, 3, 0, 0, 1), turn(3, 4, 0, 0.9, 0.1)]
    expect(new Set(matchPrints(prints).map(({ voice }) => voice)).size).toBe(3)
  })
})

describe('a model of speakers', () => {
  /** The same recording twice: by its sound one voice, for the model two. */
  const merged = async (speakers: SpeakerModel | undefined) => {
    const samples = await fixtureClip('hi-bank')
    const endMs = Math.round(samples.length / 16)
    const transcriber = describeChunks(
      {
        transcribe: async (requests) =>
          requests.map(() => {
            const segments = [segmentOf('haan theek hai', 0, endMs)]
            return { ok: true, value: { language: 'hi', languageScores: { hi: 1 }, segments, engine: 'test' } }
          }),
        close: async () => undefined,
      },
      speakers && { speakers },
    )
    const outcomes = await transcriber.transcribe([0, 1].map(() => ({ samples, languages: ['hi'] })))
    const chunks = outcomes.flatMap((outcome, nth) => {
      const startMs = nth * (endMs + 1000)
      return outcome.ok ? [{ startMs, endMs: startMs + endMs, overlapMs: 0, transcript: outcome.value }] : []
    })
    const { segments } = await mergeTranscripts(chunks, { durationMs: 60_000 })
    return segments.map(({ speakerId }) => speakerId)
  }

  it('is believed more than the sound of the voices', async () => {
    const prints = [turn(0, 60_000, 1, 0), turn(0, 60_000, 0, 1)]
    const speakers: SpeakerModel = {
      hear: async (clips) => clips.map(() => ({ ok: true, value: prints.splice(0, 1) })),
      close: async () => undefined,
    }
    expect(await merged(undefined)).toEqual(['speaker_1', 'speaker_1'])
    expect(await merged(speakers)).toEqual(['speaker_1', 'speaker_2'])
  })

  it('that fails leaves the voices to their sound', async () => {
    const speakers: SpeakerModel = {
      hear: async (clips) => clips.map(() => ({ ok: false, error: new Error('gone') })),
      close: async () => undefined,
    }
    expect(await merged(speakers)).toEqual(['speaker_1', 'speaker_1'])
  })
})
