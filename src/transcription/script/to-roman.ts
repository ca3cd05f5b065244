import { type Akshara, dropSilentVowels, readAksharas } from './akshara.ts'
import { ROMAN_WORDS } from './word-tables.ts'

const CONSONANTS: Readonly<Record<string, string>> = {
  क: 'k',
  ख: 'kh',
  ग: 'g',
  घ: 'gh',
  ङ: 'n',
  च: 'ch',
  छ: 'chh',
  ज: 'j',
  झ: 'jh',
  ञ: 'n',
  ट: 't',
  ठ: 'th',
  ड: 'd',
  ढ: 'dh',
  ण: 'n',
  त: 't',
  थ: 'th',
  द: 'd',
  ध: 'dh',
  न: 'n',
  प: 'p',
  फ: 'ph',
  ब: 'b',
  भ: 'bh',
  म: 'm',
  य: 'y',
  र: 'r',
  ल: 'l',
  व: 'v',
  श: 'sh',
  ष: 'sh',
  स: 's',
  ह: 'h',
  ळ: 'l',
  'क\u093c': 'q',
  'ख\u093c': 'kh',
  'ग\u093c': 'gh',
  'ज\u093c': 'z',
  'ड\u093c': 'd',
  'ढ\u093c': 'dh',
  'फ\u093c': 'f',
  'य\u093c': 'y',
  'न\u093c': 'n',
  'र\u093c': 'r',
}
const VOWELS: Readonly<Record<string, string>> = {
  अ: 'a',
  आ: 'a',
  इ: 'i',
  ई: 'i',
  उ: 'u',
  ऊ: 'u',
  ऋ: 'ri',
  ए: 'e',
  ऐ: 'ai',
  ओ: 'o',
  औ: 'au',
  ऑ: 'o',
  ऍ: 'e',
}
/** In a word of one syllable people spell the length out: naam, theek, doodh. */
const LONG: Readonly<Record<string, string>> = { आ: 'aa', ई: 'ee', ऊ: 'oo' }

const DEVANAGARI_WORD = /[\u0900-\u0963\u0970-\u097f\u200c\u200d]+/g

/** Everything in Latin letters, as people type Hinglish: "नमस्ते, मेरा phone नंबर है" → "namaste, mera phone number hai". */
export const toRoman = (text: string): string =>
  text
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replace(/\s*[।॥]/g, '.')
    .replace(DEVANAGARI_WORD, romanWord)

function romanWord(word: string): string {
  const plain = word
    .normalize('NFC')
    .replace(/\u0901/g, '\u0902')
    .replace(/[\u200c\u200d]/g, '')
  return ROMAN_WORDS[plain] ?? spell(dropSilentVowels(readAksharas(plain)))
}

function spell(word: readonly Akshara[]): string {
  const short = word.filter(({ vowel }) => vowel !== '').length === 1
  return joinClusters(word.map((akshara, at) => spellOne(akshara, word, at, short)).join(''))
}

function spellOne(akshara: Akshara, word: readonly Akshara[], at: number, short: boolean): string {
  const { consonant, vowel, nasal, visarga } = akshara
  const next = word[at + 1]
  const last = next === undefined
  const closed = !last || nasal
  const isLong = (short && closed) || (vowel === 'आ' && consonant === '' && at === 0)
  const sound = (isLong ? LONG[vowel] : undefined) ?? (last && nasal && vowel === 'ए' ? 'ei' : (VOWELS[vowel] ?? ''))
  const nose = nasal ? (/^[पफबभम]/.test(next?.consonant ?? '') ? 'm' : 'n') : ''
  return `${CONSONANTS[consonant] ?? ''}${sound}${nose}${visarga ? 'h' : ''}`
}

/** ज्ञ is said gy, and nobody types three letters where two consonants of a kind meet. */
const joinClusters = (roman: string): string =>
  roman
    .replace(/jn(?=[aeiou])/g, 'gy')
    .replace(/chch/g, 'cch')
    .replace(/([ktpdb])\1h/g, '$1$1h')
    .replace(/kksh/g, 'ksh')
