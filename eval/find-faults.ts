import { words } from './error-rates.ts'
import { normaliseText } from './normalise-text.ts'

/** Hindi and Urdu are one language to the ear; written in Arabic letters it is a fault here. */
export const isUrduScript = (heard: string): boolean => /\p{Script=Arabic}/u.test(heard)

/**
 * Hindi that came out in Latin letters is English: the recogniser writes Hindi in Devanagari or translates it. A reference
 * that has many Latin words itself is mixed speech and proves nothing.
 */
export function isTranslated(reference: string, heard: string, language: string): boolean {
  if (language !== 'hi' || latinShare(reference) > 0.2) return false
  return words(normaliseText(heard, language)).length >= 2 && latinShare(heard) > 0.5
}

function latinShare(text: string): number {
  const all = words(normaliseText(text, 'hi'))
  return all.length === 0 ? 0 : all.filter((word) => /\p{Script=Latin}/u.test(word)).length / all.length
}

/** Words where nobody spoke. Tags such as [laughing] are no words. */
export const inventedWords = (heard: string): number => words(normaliseText(heard, 'en')).length

/**
 * The same words again and again, as a recogniser does that has lost its way: a few words many times, or a whole sentence
 * said twice where the reference is that much shorter. Repeating what was repeated is no fault.
 */
export function isRunaway(reference: string, heard: string): boolean {
  const [said, written] = [reference, heard].map((text) => words(normaliseText(text, 'hi')))
  if (!said || !written) return false
  const isTooMuch = said.length > 0 && written.length >= 1.5 * said.length
  for (let size = 1; size <= LONGEST_LOOP; size++) {
    const repeated = longestRepeat(written, size) - longestRepeat(said, size)
    if (repeated >= Math.max(6, size * 4) || (isTooMuch && repeated >= Math.max(6, size))) return true
  }
  return false
}

const LONGEST_LOOP = 15

/** How many words in a row equal the one `size` before. */
function longestRepeat(written: readonly string[], size: number): number {
  let [longest, run] = [0, 0]
  for (let at = size; at < written.length; at++) {
    run = written[at] === written[at - size] ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
