import type { Language } from '../../speech/language.ts'

type Spelling = readonly (readonly [from: string, to: string])[]

/** Where espeak-ng writes a sound otherwise than the voices learned it. Longer spellings first. */
const SPELLINGS: Readonly<Record<Language, Spelling>> = {
  // `r.` is the flap of बड़ा, not the end of a sentence.
  hi: [
    ['t͡ʃ', 'ʧ'],
    ['tʃ', 'ʧ'],
    ['dʒ', 'ʤ'],
    ['ʱ', 'ʰ'],
    ['r.', 'ɽ'],
  ],
  en: [
    ['eɪ', 'A'],
    ['aɪ', 'I'],
    ['aʊ', 'W'],
    ['oʊ', 'O'],
    ['əʊ', 'O'],
    ['ɔɪ', 'Y'],
    ['tʃ', 'ʧ'],
    ['dʒ', 'ʤ'],
    ['ɜː', 'ɜɹ'],
    ['ɚ', 'əɹ'],
    ['ɐ', 'ə'],
    ['r', 'ɹ'],
    ['ᵻ', 'ɪ'],
  ],
  ta: [
    ['tʃ', 'ʧ'],
    ['dʒ', 'ʤ'],
    ['ʉ', 'u'],
    ['ɭ', 'l'],
  ],
}

export const spellForKokoro = (ipa: string, language: Language): string =>
  (SPELLINGS[language] ?? []).reduce((spelt, [from, to]) => spelt.replaceAll(from, to), ipa)
