import type { Language } from '../speech/language.ts'

const DEVANAGARI_DIGIT = /[०-९]/g
const INVISIBLE = /[\u200b\u200e\u200f\u2060\ufeff]/g

/**
 * What a recogniser spells, as people expect to read it: composed Unicode, digits as they are typed today,
 * the danda as the Hindi full stop, no space before a mark and one after it.
 */
export function tidyText(text: string, language: Language): string {
  const plain = text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(DEVANAGARI_DIGIT, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replace(/\s+/g, ' ')
    .replace(/\s*\|\s*/g, '। ')
    .replace(/\s+([,.!?;:।॥])/g, '$1')
    .replace(/([,!?;।॥])(?=[^\s\d,.!?;:।॥"'”’)\]])/g, '$1 ')
    .replace(/([,;।])\1+/g, '$1')
    .trim()
  return language === 'hi' ? hindiStops(plain) : plain
}

/** A full stop after a Devanagari word is a danda; one inside a number or after Latin letters is left alone. */
const hindiStops = (text: string): string => text.replace(/([\u0900-\u0963\u0970-\u097f])\.(?=\s|$)/g, '$1।')
