/** One written syllable of Devanagari: consonant and vowel, a vowel alone, or a consonant without one. */
export type Akshara = {
  /** Base letter with its nukta, or empty for a vowel that stands alone. */
  readonly consonant: string
  /** The vowel as its independent letter; 'अ' is the vowel nobody writes; empty after a virama. */
  readonly vowel: string
  readonly nasal: boolean
  readonly visarga: boolean
}

const VIRAMA = '\u094d'
const NUKTA = '\u093c'
const VOWEL_OF_SIGN: Readonly<Record<string, string>> = {
  '\u093e': 'आ',
  '\u093f': 'इ',
  '\u0940': 'ई',
  '\u0941': 'उ',
  '\u0942': 'ऊ',
  '\u0943': 'ऋ',
  '\u0945': 'ऑ',
  '\u0946': 'ए',
  '\u0947': 'ए',
  '\u0948': 'ऐ',
  '\u0949': 'ऑ',
  '\u094a': 'ओ',
  '\u094b': 'ओ',
  '\u094c': 'औ',
}
const isConsonant = (letter: string): boolean => /^[\u0915-\u0939\u0958-\u095f\u0978-\u097f]/.test(letter)
const isVowel = (letter: string): boolean => /^[\u0904-\u0914\u0960\u0961\u0972]/.test(letter)

/** Reads one word, letter by letter. Marks that belong to nothing are dropped. */
export function readAksharas(word: string): Akshara[] {
  const letters = [...word.normalize('NFD')]
  const read: Akshara[] = []
  for (let at = 0; at < letters.length; ) {
    const start = letters[at] ?? ''
    at += 1
    if (!isConsonant(start) && !isVowel(start)) continue
    let consonant = isConsonant(start) ? start : ''
    let vowel = isConsonant(start) ? 'अ' : start
    if (letters[at] === NUKTA) {
      consonant += NUKTA
      at += 1
    }
    const sign = VOWEL_OF_SIGN[letters[at] ?? '']
    if (letters[at] === VIRAMA) vowel = ''
    else if (sign !== undefined) vowel = sign
    if (letters[at] === VIRAMA || sign !== undefined) at += 1
    const marks = { nasal: false, visarga: false }
    for (; /^[\u0900-\u0903]$/.test(letters[at] ?? ''); at += 1) {
      if (letters[at] === '\u0903') marks.visarga = true
      else marks.nasal = true
    }
    read.push({ consonant, vowel, ...marks })
  }
  return read
}

/**
 * Hindi does not speak every vowel that its letters imply: करना is karna, not karana. The last one falls after a
 * simple consonant; within the word, from right to left, one falls between a spoken vowel and a consonant that has one.
 */
export function dropSilentVowels(word: readonly Akshara[]): Akshara[] {
  const spoken = [...word]
  const mute = (at: number): void => {
    const akshara = spoken[at]
    if (akshara) spoken[at] = { ...akshara, vowel: '' }
  }
  const last = spoken.length - 1
  if (last > 0 && isSilentAtEnd(spoken, last)) mute(last)
  for (let at = last - 1; at > 0; at -= 1) {
    if (isImplied(spoken[at]) && hasVowel(spoken[at - 1]) && hasVowel(spoken[at + 1]) && spoken[at + 1]?.consonant)
      mute(at)
  }
  return spoken
}

const isImplied = (akshara: Akshara | undefined): boolean =>
  akshara !== undefined && akshara.consonant !== '' && akshara.vowel === 'अ' && !akshara.nasal && !akshara.visarga
const hasVowel = (akshara: Akshara | undefined): boolean => akshara !== undefined && akshara.vowel !== ''

/** After a cluster (मित्र, राज्य) the vowel is still heard, except where the cluster is easily said (अंत, शब्द, दोस्त). */
function isSilentAtEnd(word: readonly Akshara[], last: number): boolean {
  const final = word[last]
  if (!isImplied(final)) return false
  const before = word[last - 1]
  return hasVowel(before) || !/^[यरलवनमण]/.test(final?.consonant ?? '')
}
