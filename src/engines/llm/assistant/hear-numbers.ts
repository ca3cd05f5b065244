import { ENGLISH_SMALL, ENGLISH_TENS, HINDI_NUMBERS } from '../../../speech/number-words.ts'
import { type HeardWord, keyOf } from './heard-words.ts'

/** A number among the words `from` to `to`, the last not counted. `digits`: as one would type it. */
export type HeardNumber = {
  readonly value: number
  readonly digits: string
  readonly from: number
  readonly to: number
}

const ROMAN_NUMBERS =
  `shunya ek do teen char panch chhe saat aath nau das gyarah barah terah chaudah pandrah solah satrah atharah unnis
bees ikkis bais teis chaubis pachis chabbis sattais atthais untis tees ikattis battis taintis chauntis paintis chattis saintis
artis untalis chalis iktalis bayalis taintalis chauvalis paintalis chhiyalis saintalis artalis unchas pachas ikyavan bavan tirpan
chauvan pachpan chappan sattavan atthavan unsath saath iksath basath tirsath chaunsath painsath chhiyasath sarsath arsath unhattar
sattar ikhattar bahattar tihattar chauhattar pachhattar chihattar satahattar athhattar unyasi assi ikyasi bayasi tirasi chaurasi
pachasi chhiyasi sattasi atthasi navasi nabbe ikyanve banve tiranve chauranve pachanve chhiyanve sattanve atthanve ninyanve`.split(
    /\s+/,
  )

/** Hinglish has no spelling: long vowels, doubled letters, aspiration and v/w are as one likes. */
const roman = (word: string): string =>
  word
    .replaceAll(/aa+/g, 'a')
    .replaceAll(/ee+|ii+/g, 'i')
    .replaceAll(/oo+/g, 'u')
    .replaceAll(/w/g, 'v')
    .replaceAll(/(?<=[bcdgjkpt])h/g, '')
    .replaceAll(/h$/g, '')
    .replaceAll(/(.)\1/g, '$1')

const SMALL = new Map<string, number>()
const ENGLISH_TEN = new Set(ENGLISH_TENS.slice(2))
for (const [value, word] of ENGLISH_TENS.entries()) SMALL.set(word, value * 10)
for (const [value, word] of ENGLISH_SMALL.entries()) SMALL.set(word, value)
for (const [value, word] of HINDI_NUMBERS.entries()) SMALL.set(keyOf(word), value)
for (const [word, value] of [
  ['पांच', 5],
  ['छः', 6],
  ['छ', 6],
  ['छे', 6],
  ['ज़ीरो', 0],
  ['जीरो', 0],
  ['oh', 0],
  ['पन्द्रह', 15],
] as const)
  SMALL.set(keyOf(word), value)
const ROMAN = new Map(ROMAN_NUMBERS.map((word, value) => [roman(word), value] as const))
/** "saath" is sixty and "saat" seven; only the h tells them apart. */
const SPELT_EXACTLY: Readonly<Record<string, number>> = {
  saat: 7,
  sat: 7,
  saath: 60,
  sath: 60,
  chah: 6,
  che: 6,
  chhah: 6,
  jeero: 0,
}

const SCALES = new Map(
  Object.entries({
    hundred: 100,
    सौ: 100,
    sau: 100,
    so: 100,
    thousand: 1e3,
    हजार: 1e3,
    hazar: 1e3,
    hazaar: 1e3,
    hajar: 1e3,
    lakh: 1e5,
    लाख: 1e5,
    lac: 1e5,
    million: 1e6,
    crore: 1e7,
    करोड: 1e7,
    karod: 1e7,
    billion: 1e9,
  }).map(([word, value]) => [keyOf(word), value] as const),
)
/** Said instead of a number, before a scale or alone. */
const BROKEN = new Map(
  Object.entries({ डेढ: 1.5, dedh: 1.5, derh: 1.5, ढाई: 2.5, dhai: 2.5, adhai: 2.5 }).map(([word, value]) => [
    keyOf(word),
    value,
  ]),
)
/** Said before a number and added to it. */
const ADDED = new Map(
  Object.entries({ साढे: 0.5, sadhe: 0.5, saadhe: 0.5, सवा: 0.25, sava: 0.25, sawa: 0.25, पौने: -0.25, paune: -0.25 }),
)

/** Few Hinglish spellings are sure among English words: "at" is no eight, "do" no two, "sat" no seven. */
const HINGLISH =
  /^(?:hai|hain|ka|ki|ke|ko|se|mein|aur|baje|kal|aaj|log|logon|rupaye|rupay|hazaa?r|sau|chahiye|karo|kilo|din|mere|mera|bhejo?)$/
const SURE = new Set(ROMAN_NUMBERS.filter((word) => word.length > 4))

/** Every number of an utterance, in digits or in English, Hindi or Hinglish words. */
export function hearNumbers(words: readonly HeardWord[]): HeardNumber[] {
  const isHinglish = words.some(({ key }) => HINGLISH.test(key) || /\p{Script=Devanagari}/u.test(key))
  const said = words.map((word) => ({ ...word, small: smallOf(word, isHinglish), scale: SCALES.get(word.key) }))
  const found: HeardNumber[] = []
  for (let at = 0; at < said.length; ) {
    const number = writtenNumber(said, at) ?? digitByDigit(said, at) ?? spokenNumber(said, at)
    if (number) found.push(number)
    at = number?.to ?? at + 1
  }
  return found
}

/** A word, and what it counts for. */
type Counted = HeardWord & { readonly small: number | undefined; readonly scale: number | undefined }

function smallOf({ key, text }: HeardWord, isHinglish: boolean): number | undefined {
  const spelt = text.toLowerCase()
  const sure = SMALL.get(key) ?? BROKEN.get(key) ?? (SURE.has(spelt) ? ROMAN.get(roman(spelt)) : undefined)
  if (sure !== undefined || !isHinglish || (spelt.length < 3 && !/^(?:ek|do)$/.test(spelt))) return sure
  return SPELT_EXACTLY[spelt] ?? ROMAN.get(roman(spelt))
}

function writtenNumber(words: readonly Counted[], from: number): HeardNumber | undefined {
  const { text = '' } = words[from] ?? {}
  if (!/^\d+(?:,\d+)*(?:\.\d+)?$/.test(text)) return undefined
  let digits = text.replaceAll(',', '')
  let to = from + 1
  while (/^\d+$/.test(words[to]?.text ?? '') && digits.length > 1) digits += words[to++]?.text
  const scale = words[to]?.scale
  if (scale === undefined) return { value: Number(digits), digits, from, to }
  const value = Number(digits) * scale
  return { value, digits: String(value), from, to: to + 1 }
}

/** "nine eight double seven": a number that is read out, not counted. */
function digitByDigit(words: readonly Counted[], from: number): HeardNumber | undefined {
  let digits = ''
  let to = from
  for (; to < words.length; to++) {
    const times = { double: 2, डबल: 2, triple: 3 }[words[to]?.key ?? '']
    const { small } = words[times ? to + 1 : to] ?? {}
    if (small === undefined || small > 9 || !Number.isInteger(small)) break
    digits += String(small).repeat(times ?? 1)
    if (times) to++
  }
  return digits.length >= 3 && !words[to]?.scale ? { value: Number(digits), digits, from, to } : undefined
}

function spokenNumber(words: readonly Counted[], from: number): HeardNumber | undefined {
  let added = ADDED.get(words[from]?.key ?? '') ?? 0
  let to = added === 0 ? from : from + 1
  let total = 0
  let current: number | undefined
  for (; to < words.length; to++) {
    const { key = '', small, scale } = words[to] ?? {}
    if (scale !== undefined && (current !== undefined || key !== 'so')) {
      const counted = ((current ?? 1) + added) * scale
      added = 0
      if (scale > 100) total += counted
      current = scale > 100 ? undefined : counted
    } else if (small !== undefined && joins(current, small, words[to - 1]?.key ?? '')) current = (current ?? 0) + small
    else if (!(key === 'and' && total + (current ?? 0) >= 100 && words[to + 1]?.small !== undefined)) break
  }
  if (current === undefined && total === 0) return undefined
  const value = total + (current ?? 0) + added
  return { value, digits: String(value), from, to }
}

function joins(current: number | undefined, small: number, before: string): boolean {
  if (current === undefined) return true
  if (current >= 100 && current % 100 === 0) return small < 100
  return ENGLISH_TEN.has(before) && small > 0 && small < 10
}
