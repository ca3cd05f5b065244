import type { ChunkTranscriber } from '../../src/speech/ports.ts'
import type { ChunkTranscript } from '../../src/speech/transcript.ts'

/** A transcript of one second that says `text`. */
export const instantTranscript = (text: string): ChunkTranscript => ({
  language: 'en',
  languageScores: { en: 1 },
  engine: 'instant',
  segments: [
    {
      startMs: 0,
      endMs: 1000,
      text,
      language: 'en',
      confidence: 1,
      words: text.split(' ').map((word, at, all) => ({
        text: word,
        startMs: Math.round((1000 * at) / all.length),
        endMs: Math.round((1000 * (at + 1)) / all.length),
      })),
      tags: [],
    },
  ],
})

/** Answers at once, so that what is measured is the pipeline and not the recognition. */
export const createInstantTranscriber = (): ChunkTranscriber => ({
  transcribe: async (requests) => requests.map(() => ({ ok: true, value: instantTranscript('namaste') })),
  close: async () => {},
})
