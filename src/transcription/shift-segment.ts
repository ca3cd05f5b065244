import type { Segment } from '../speech/transcript.ts'

type Timed = { readonly startMs: number; readonly endMs: number }

/** The same segment on a clock that started earlier. */
export const shiftSegment = (segment: Segment, byMs: number): Segment => ({
  ...move(segment, byMs),
  words: segment.words.map((word) => move(word, byMs)),
  tags: segment.tags.map((tag) => move(tag, byMs)),
})

const move = <T extends Timed>(timed: T, byMs: number): T => ({
  ...timed,
  startMs: timed.startMs + byMs,
  endMs: timed.endMs + byMs,
})
