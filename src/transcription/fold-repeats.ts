/** Nobody speaks faster than this, so a text that repeats itself at such a rate was not said so often. */
const FASTEST_LETTERS_PER_SECOND = 17
const FEWEST_WORDS = 3

/**
 * A recogniser that loses its place writes a sentence again from the start. Where the text is too long for its time and
 * ends by repeating its own beginning, whole or in part, the beginning is kept.
 */
export function foldRepeats(text: string, seconds: number): string {
  const words = text.split(/\s+/).filter(Boolean)
  if (text.length <= FASTEST_LETTERS_PER_SECOND * seconds) return text
  const plain = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ''))
  for (let period = FEWEST_WORDS; period <= words.length / 2 + 1 && period < words.length; period += 1) {
    if (plain.slice(period).every((word, at) => word === plain[at])) return words.slice(0, period).join(' ')
  }
  return text
}
