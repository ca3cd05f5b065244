import type { Segment } from '../../src/speech/transcript.ts'

/** A segment whose words share its time evenly. */
export function segmentOf(text: string, startMs: number, endMs: number, more: Partial<Segment> = {}): Segment {
  const words = text.split(' ').filter(Boolean)
  const each = (endMs - startMs) / Math.max(1, words.length)
  return {
    startMs,
    endMs,
    text,
    language: 'hi',
    confidence: 0.9,
    words: words.map((word, at) => ({ text: word, startMs: startMs + at * each, endMs: startMs + (at + 1) * each })),
    tags: [],
    ...more,
  }
}
