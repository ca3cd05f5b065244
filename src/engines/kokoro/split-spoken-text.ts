import type { Language } from '../../speech/language.ts'

/** A stretch of one language, or a mark that makes the voice pause. */
export type SpokenPiece =
  | { readonly kind: 'words'; readonly text: string; readonly language: Language }
  | { readonly kind: 'mark'; readonly text: string }

const PIECES =
  /[\p{Script=Latin}\p{M}'’-]+|[\p{Script=Devanagari}\u200c\u200d]+|[\p{Script=Tamil}]+|\p{N}+(?:[.,]\p{N}+)*%?|[.,!?;:…।॥—]/gu

/**
 * Hinglish changes language in the middle of a sentence, and each word must be said by its own language's rules. Script
 * tells which; a number is read in the language around it.
 */
export function splitSpokenText(text: string, own: Language): SpokenPiece[] {
  const tokens = text.normalize('NFC').match(PIECES) ?? []
  const pieces: SpokenPiece[] = []
  let language = tokens.map(languageOf).find((found) => found !== undefined) ?? own
  for (const token of tokens) {
    if (isMark(token)) {
      pieces.push({ kind: 'mark', text: asPause(token) })
      continue
    }
    language = languageOf(token) ?? language
    const last = pieces.at(-1)
    if (last?.kind === 'words' && last.language === language) {
      pieces[pieces.length - 1] = { ...last, text: `${last.text} ${token}` }
    } else pieces.push({ kind: 'words', text: token, language })
  }
  return pieces
}

function languageOf(token: string): Language | undefined {
  if (/\p{Script=Devanagari}/u.test(token)) return 'hi'
  if (/\p{Script=Tamil}/u.test(token)) return 'ta'
  return /\p{Script=Latin}/u.test(token) ? 'en' : undefined
}

const isMark = (token: string) => /^[.,!?;:…।॥—]$/u.test(token)
const asPause = (mark: string) => (/[।॥]/u.test(mark) ? '.' : mark)
