import type { Segment, TimedTag } from '../speech/transcript.ts'

/** The segments as one text, each tag in square brackets where it happened. */
export const writeText = (segments: readonly Segment[]): string => segments.map(writeSegment).filter(Boolean).join(' ')

/** A tag stands before the first word that begins after it; where no word times are known, at the nearer end. */
export function writeSegment(segment: Segment): string {
  const words = segment.text.split(/\s+/).filter(Boolean)
  const pieces = words.map((text) => ({ before: [] as string[], text }))
  const after: string[] = []
  for (const tag of segment.tags) {
    const at = placeOf(tag, segment, words.length)
    const piece = pieces[at]
    if (piece) piece.before.push(`[${tag.tag}]`)
    else after.push(`[${tag.tag}]`)
  }
  return [...pieces.flatMap(({ before, text }) => [...before, text]), ...after].join(' ')
}

function placeOf(tag: TimedTag, segment: Segment, words: number): number {
  if (tag.startMs >= segment.endMs) return words
  if (segment.words.length === words && words > 0) {
    const at = segment.words.findIndex((word) => word.startMs >= tag.startMs)
    return at === -1 ? words : at
  }
  const middle = (segment.startMs + segment.endMs) / 2
  return tag.startMs < middle ? 0 : words
}
