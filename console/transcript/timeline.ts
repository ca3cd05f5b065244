import type { Segment } from '../../client/src/index.ts'

/** The last segment that has begun; -1 before the first. */
export function segmentAt(segments: readonly Segment[], seconds: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The word that is being said; -1 between words. */
export const wordAt = ({ words }: Segment, seconds: number): number =>
  words.findIndex(({ start, end }) => seconds >= start && seconds < end)

/** Where there is speech, as the height of a waveform: what is shown until the sound itself is there, or when it is too long to draw. */
export function speechPeaks(segments: readonly Segment[], duration: number, points: number): number[] {
  const peaks = new Array<number>(points).fill(0.04)
  const step = Math.max(duration, 0.001) / points
  for (const { words, start, end } of segments)
    for (const span of words.length > 0 ? words : [{ start, end }])
      for (let at = Math.floor(span.start / step); at <= Math.min(points - 1, Math.floor(span.end / step)); at++)
        peaks[at] = 0.5
  return peaks
}

export type Piece =
  | { readonly kind: 'word'; readonly text: string; readonly index: number; readonly start: number }
  | { readonly kind: 'tag'; readonly tag: string; readonly start: number }

/** Words and tags in the order in which they were heard. */
export function piecesOf({ words, tag_times, text, start }: Segment): Piece[] {
  const spoken: Piece[] =
    words.length > 0
      ? words.map(({ word, start: at }, index) => ({ kind: 'word', text: word, index, start: at }))
      : [{ kind: 'word', text, index: 0, start }]
  const tags: Piece[] = tag_times.map(({ tag, start: at }) => ({ kind: 'tag', tag, start: at }))
  return [...spoken, ...tags].sort((a, b) => a.start - b.start || (a.kind === 'tag' ? -1 : 1))
}

/** Speakers in the order in which they are first heard. */
export const speakersOf = (segments: readonly Segment[]): string[] => [
  ...new Set(segments.flatMap(({ speaker_id }) => speaker_id ?? [])),
]
