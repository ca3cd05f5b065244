import { DEVANAGARI_WORDS } from './word-tables.ts'

/** What English letters sound like to a Hindi writer; longer spellings first, since the first that fits is taken. */
const CONSONANTS: readonly (readonly [string, string])[] = [
  ['tch', 'च'],
  ['chh', 'छ'],
  ['sch', 'स्क'],
  ['ck', 'क'],
  ['ch', 'च'],
  ['sh', 'श'],
  ['th', 'थ'],
  ['ph', 'फ'],
  ['gh', 'घ'],
  ['kh', 'ख'],
  ['dh', 'ध'],
  ['bh', 'भ'],
  ['jh', 'झ'],
  ['wh', 'व'],
  ['qu', 'क्व'],
  ['ng', 'ंग'],
  ['nk', 'ंक'],
  ['b', 'ब'],
  ['c', 'क'],
  ['d', 'ड'],
  ['f', 'फ'],
  ['g', 'ग'],
  ['h', 'ह'],
  ['j', 'ज'],
  ['k', 'क'],
  ['l', 'ल'],
  ['m', 'म'],
  ['n', 'न'],
  ['p', 'प'],
  ['q', 'क'],
  ['r', 'र'],
  ['s', 'स'],
  ['t', 'ट'],
  ['v', 'व'],
  ['w', 'व'],
  ['x', 'क्स'],
  ['y', 'य'],
  ['z', 'ज़'],
]
/** Each vowel as a letter of its own and as the sign after a consonant. */
const VOWELS: readonly (readonly [string, string, string])[] = [
  ['tion', 'शन', 'शन'],
  ['ee', 'ई', 'ी'],
  ['ea', 'ई', 'ी'],
  ['oo', 'ऊ', 'ू'],
  ['ou', 'आउ', 'ाउ'],
  ['ow', 'ओ', 'ो'],
  ['ai', 'ऐ', 'ै'],
  ['ay', 'ए', 'े'],
  ['au', 'औ', 'ौ'],
  ['aa', 'आ', 'ा'],
  ['oa', 'ओ', 'ो'],
  ['oi', 'ऑय', 'ॉय'],
  ['ie', 'ई', 'ी'],
  ['ei', 'ए', 'े'],
  ['a', 'ऐ', 'ै'],
  ['e', 'ए', 'े'],
  ['i', 'इ', 'ि'],
  ['o', 'ऑ', 'ॉ'],
  ['u', 'अ', ''],
]
const LETTER_NAMES = 'ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड'.split(' ')

const VIRAMA = '\u094d'

/** Everything in Devanagari: known words as papers write them, abbreviations by their letters, the rest by sound. */
export const toDevanagari = (text: string): string =>
  text.replace(/[A-Za-z]+(?:'[a-z]+)?/g, devanagariWord).replace(/(?<=[\u0900-\u0963])\.(?=\s|$)/g, '।')

function devanagariWord(word: string): string {
  const known = DEVANAGARI_WORDS[word.toLowerCase()]
  if (known) return known
  if (/^[A-Z]{2,5}$/.test(word)) return [...word].map((letter) => LETTER_NAMES[letter.charCodeAt(0) - 65]).join('')
  return bySound(word.toLowerCase().replace("'", ''))
}

/** A reading, not a pronunciation: doubled letters count once and a closing silent e is not written. */
function bySound(word: string): string {
  const letters = word
    .replace(/([b-df-hj-np-tv-z])\1/g, '$1')
    .replace(/(?<=[^aeiou][^aeiou]?)e$/, '')
    .replace(/y$/, 'ee')
  let written = ''
  let afterConsonant = false
  for (let rest = letters; rest !== ''; ) {
    const vowel = VOWELS.find(([latin]) => rest.startsWith(latin))
    const consonant = CONSONANTS.find(([latin]) => rest.startsWith(latin))
    if (vowel) {
      const [latin, alone, sign] = vowel
      written += afterConsonant && latin !== 'tion' ? sign : alone
      afterConsonant = false
      rest = rest.slice(latin.length)
    } else if (consonant) {
      const [latin, letter] = consonant
      written += afterConsonant && !letter.startsWith('ं') ? VIRAMA + letter : letter
      afterConsonant = true
      rest = rest.slice(latin.length)
    } else rest = rest.slice(1)
  }
  return written
}
