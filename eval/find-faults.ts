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

/** The same few words again and again, as a recogniser does that has lost its way. */
export function isRunaway(heard: string): boolean {
  const said = words(normaliseText(heard, 'hi'))
  for (let size = 1; size <= 6; size++) {
    let repeats = 0
    for (let at = size; at < said.length; at++) {
      repeats = said[at] === said[at - size] ? repeats + 1 : 0
      if (repeats >= Math.max(6, size * 4)) return true
    }
  }
  return false
}
