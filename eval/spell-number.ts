/** Numbers as words, so that "9 baje" and "nau baje" are no difference. Up to the crores; longer ones digit by digit. */
const HINDI = `शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी
अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे`.split(
  /\s+/,
)
const ENGLISH = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen`.split(/\s+/)
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const HINDI_SCALES = [
  [10_000_000, 'करोड़'],
  [100_000, 'लाख'],
  [1_000, 'हज़ार'],
  [100, 'सौ'],
] as const
const ENGLISH_SCALES = [
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
] as const

const MAX_DIGITS = 7

export function spellNumber(digits: string, language: 'hi' | 'en'): string {
  const isCode = digits.length > MAX_DIGITS || (digits.length > 1 && digits.startsWith('0'))
  if (isCode) return [...digits].map((digit) => spellNumber(digit, language)).join(' ')
  const number = Number(digits)
  return language === 'hi'
    ? spell(number, HINDI_SCALES, hindiBelowHundred)
    : spell(number, ENGLISH_SCALES, englishBelowHundred)
}

type Scales = readonly (readonly [size: number, name: string])[]

function spell(number: number, scales: Scales, belowHundred: (number: number) => string): string {
  const scale = scales.find(([size]) => number >= size)
  if (!scale) return belowHundred(number)
  const [size, name] = scale
  const rest = number % size
  const head = `${spell(Math.floor(number / size), scales, belowHundred)} ${name}`
  return rest === 0 ? head : `${head} ${spell(rest, scales, belowHundred)}`
}

const hindiBelowHundred = (number: number) => HINDI[number] ?? ''

function englishBelowHundred(number: number): string {
  const small = ENGLISH[number]
  if (small) return small
  const ten = TENS[Math.floor(number / 10)] ?? ''
  return number % 10 === 0 ? ten : `${ten} ${ENGLISH[number % 10]}`
}
