import { spellNumber } from './spell-number.ts'

/** Named in every report: figures under two normalisers cannot be compared. docs/evaluation.md explains each step. */
export const NORMALISER = 'lipik-1'

const WITH_NUKTA: Readonly<Record<string, string>> = {
  क़: 'क',
  ख़: 'ख',
  ग़: 'ग',
  ज़: 'ज',
  ड़: 'ड',
  ढ़: 'ढ',
  फ़: 'फ',
  य़: 'य',
  ऩ: 'न',
  ऱ: 'र',
  ऴ: 'ळ',
}
const NUKTA = '\u093c'

/** What is left of a text when only differences that a reader would call errors remain. */
export function normaliseText(text: string, language: string): string {
  const spoken = language.startsWith('hi') ? 'hi' : 'en'
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\[[a-z_ ]+\]/g, ' ')
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll('\u0901', '\u0902')
  const folded = [...plain]
    .map((letter) => WITH_NUKTA[letter] ?? letter)
    .join('')
    .replaceAll(NUKTA, '')
  return folded
    .replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replaceAll(/(?<=\d),(?=\d)/g, '')
    .replaceAll(/\d+/g, (digits) => ` ${normaliseSpelling(spellNumber(digits, spoken))} `)
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

/** The words for numbers go through the same folding as everything else. */
const normaliseSpelling = (words: string) => words.replaceAll('\u0901', '\u0902').replaceAll(NUKTA, '')
