import type { Segment } from '../speech/transcript.ts'

/** So many words at the most can be spoken twice across a seam: an overlap of a second or two. */
const REACH = 10
/** A word cut in two by the seam is heard wrong on both sides; so many such words may stand beside the common ones. */
const GARBLED = 2

/**
 * Two chunks heard the same second of speech. Finds the words both wrote and keeps them once. Where nothing matches,
 * both are kept: a word too many can be read over, a word lost is gone.
 */
export function joinSeam(last: Segment, after: readonly Segment[], overlapEndMs: number): Segment[] {
  const first = after.find((segment) => segment.text !== '')
  const cut = first && first.startMs <= overlapEndMs ? commonWords(wordsOf(last), wordsOf(first)) : undefined
  if (!first || !cut) return [last, ...after]
  const rest = after.map((each) => (each === first ? dropWords(first, cut.fromHead, 'start') : each))
  return [dropWords(last, cut.fromTail, 'end'), ...rest]
}

type Cut = { readonly fromTail: number; readonly fromHead: number }

const wordsOf = (segment: Segment): string[] => segment.text.split(/\s+/).filter(Boolean)
const folded = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** The longest run of words that ends one text and begins the other, give or take a garbled word at the cut. */
function commonWords(tail: readonly string[], head: readonly string[]): Cut | undefined {
  const [a, b] = [tail.map(folded), head.map(folded)]
  for (let run = Math.min(REACH, a.length, b.length); run >= 1; run -= 1) {
    for (let lost = 0; lost <= GARBLED; lost += 1) {
      for (let skipped = 0; skipped <= GARBLED; skipped += 1) {
        // One short common word ("hai", "the") next to garbled ones proves nothing.
        if (run === 1 && lost + skipped > 1) continue
        const end = a.length - lost
        if (end < run || skipped + run > b.length) continue
        if (isSame(a.slice(end - run, end), b.slice(skipped, skipped + run))) {
          return { fromTail: lost, fromHead: skipped + run }
        }
      }
    }
  }
  return undefined
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((word, at) => word !== '' && word === b[at])

function dropWords(segment: Segment, count: number, side: 'start' | 'end'): Segment {
  if (count === 0) return segment
  const cut = <T>(all: readonly T[]): T[] => (side === 'start' ? all.slice(count) : all.slice(0, all.length - count))
  const texts = wordsOf(segment)
  // Word times are kept only where there is one for each written word; otherwise they could point at the wrong one.
  const words = segment.words.length === texts.length ? cut(segment.words) : segment.words
  return {
    ...segment,
    text: cut(texts).join(' '),
    words,
    startMs: side === 'start' ? (words[0]?.startMs ?? segment.startMs) : segment.startMs,
    endMs: side === 'end' ? (words.at(-1)?.endMs ?? segment.endMs) : segment.endMs,
  }
}
