import { digitWords, numberWords } from '../src/speech/number-words.ts'

/** Beyond this many digits a number is a code, and said digit by digit. */
const MAX_DIGITS = 7

/** Numbers as words, so that "9 baje" and "nau baje" are no difference. */
export function spellNumber(digits: string, language: 'hi' | 'en'): string {
  const isCode = digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))
  return isCode ? digitWords(digits, language) : numberWords(Number(digits), language)
}
