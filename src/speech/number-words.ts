/** Whole numbers as they are said, 0 and up. Hindi and Tamil count in hundreds, thousands, lakhs and crores. */
export type NumberLanguage = 'hi' | 'en' | 'ta'

/** 0 to 99: each has a name of its own. */
export const HINDI_NUMBERS: readonly string[] = `शून्य एक दो तीन चार पाँच छह सात आठ नौ
दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस
तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास
पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर
सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी
अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी
नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे`.split(/\s+/)

export const ENGLISH_SMALL: readonly string[] = `zero one two three four five six seven eight nine ten eleven twelve
thirteen fourteen fifteen sixteen seventeen eighteen nineteen`.split(/\s+/)
export const ENGLISH_TENS: readonly string[] = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(
  ' ',
)

const TAMIL_SMALL: readonly string[] = `பூஜ்ஜியம் ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பத்து பதினொன்று பன்னிரண்டு
பதிமூன்று பதினான்கு பதினைந்து பதினாறு பதினேழு பதினெட்டு பத்தொன்பது`.split(/\s+/)
/** Alone, and before a smaller number. */
const TAMIL_TENS = [
  ['', ''],
  ['', ''],
  ['இருபது', 'இருபத்தி'],
  ['முப்பது', 'முப்பத்தி'],
  ['நாற்பது', 'நாற்பத்தி'],
  ['ஐம்பது', 'ஐம்பத்தி'],
  ['அறுபது', 'அறுபத்தி'],
  ['எழுபது', 'எழுபத்தி'],
  ['எண்பது', 'எண்பத்தி'],
  ['தொண்ணூறு', 'தொண்ணூற்றி'],
] as const
const TAMIL_HUNDREDS = [
  ['', ''],
  ['நூறு', 'நூற்றி'],
  ['இருநூறு', 'இருநூற்றி'],
  ['முந்நூறு', 'முந்நூற்றி'],
  ['நானூறு', 'நானூற்றி'],
  ['ஐநூறு', 'ஐநூற்றி'],
  ['அறுநூறு', 'அறுநூற்றி'],
  ['எழுநூறு', 'எழுநூற்றி'],
  ['எண்ணூறு', 'எண்ணூற்றி'],
  ['தொள்ளாயிரம்', 'தொள்ளாயிரத்து'],
] as const
/** What comes before ஆயிரம், grown together with it. */
const TAMIL_THOUSANDS = ['', '', 'இரண்டா', 'மூவா', 'நான்கா', 'ஐயா', 'ஆறா', 'ஏழா', 'எட்டா', 'ஒன்பதா', 'பத்தா']

type Scales = readonly (readonly [size: number, name: string])[]
const HINDI_SCALES: Scales = [
  [10_000_000, 'करोड़'],
  [100_000, 'लाख'],
  [1_000, 'हज़ार'],
  [100, 'सौ'],
]
const INDIAN_SCALES: Scales = [
  [10_000_000, 'crore'],
  [100_000, 'lakh'],
  [1_000, 'thousand'],
  [100, 'hundred'],
]
const WESTERN_SCALES: Scales = [
  [1_000_000_000_000, 'trillion'],
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
]

/** `counting`: how English groups what is larger than a thousand. */
export function numberWords(
  number: number,
  language: NumberLanguage,
  counting: 'western' | 'indian' = 'western',
): string {
  if (language === 'hi') return byScales(number, HINDI_SCALES, (small) => HINDI_NUMBERS[small] ?? '')
  if (language === 'ta') return tamil(number)
  return byScales(number, counting === 'indian' ? INDIAN_SCALES : WESTERN_SCALES, englishBelowHundred)
}

export const digitWords = (digits: string, language: NumberLanguage): string =>
  [...digits].map((digit) => numberWords(Number(digit), language)).join(' ')

function byScales(number: number, scales: Scales, belowHundred: (number: number) => string): string {
  const scale = scales.find(([size]) => number >= size)
  if (!scale) return belowHundred(number)
  const [size, name] = scale
  const rest = number % size
  const head = `${byScales(Math.floor(number / size), scales, belowHundred)} ${name}`
  return rest === 0 ? head : `${head} ${byScales(rest, scales, belowHundred)}`
}

function englishBelowHundred(number: number): string {
  const ten = ENGLISH_TENS[Math.floor(number / 10)] ?? ''
  return ENGLISH_SMALL[number] ?? (number % 10 === 0 ? ten : `${ten} ${ENGLISH_SMALL[number % 10]}`)
}

function tamil(number: number): string {
  if (number >= 10_000_000) return tamilScale(number, 10_000_000, ['கோடி', 'கோடியே'])
  if (number >= 100_000) return tamilScale(number, 100_000, ['லட்சம்', 'லட்சத்து'])
  if (number >= 1_000) return tamilThousands(number)
  if (number >= 100) return tamilPart(TAMIL_HUNDREDS[Math.floor(number / 100)], number % 100)
  return TAMIL_SMALL[number] ?? tamilPart(TAMIL_TENS[Math.floor(number / 10)], number % 10)
}

function tamilScale(number: number, size: number, names: readonly [string, string]): string {
  const count = Math.floor(number / size)
  const head = count === 1 ? 'ஒரு' : tamil(count)
  return `${head} ${tamilPart(names, number % size)}`
}

function tamilThousands(number: number): string {
  const count = Math.floor(number / 1_000)
  const grown = TAMIL_THOUSANDS[count]
  const ending: readonly [string, string] = grown ? ['யிரம்', 'யிரத்து'] : ['ஆயிரம்', 'ஆயிரத்து']
  const head = grown ?? `${tamil(count)} `
  return head + tamilPart(ending, number % 1_000)
}

function tamilPart(forms: readonly [alone: string, before: string] | undefined, rest: number): string {
  const [alone = '', before = ''] = forms ?? []
  return rest === 0 ? alone : `${before} ${tamil(rest)}`
}
