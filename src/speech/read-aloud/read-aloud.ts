import type { Language } from '../language.ts'
import { digitWords, type NumberLanguage, numberWords } from '../number-words.ts'
import { englishOrdinal, type Half, readDay, readTime, readYear } from './read-clock.ts'
import { READING_WORDS, SAID_AS_WORDS } from './reading-words.ts'
import { writeHindiWords } from './roman-hindi.ts'

type Rule = (text: string, language: NumberLanguage) => string

const NUMBER = '\\d+(?:,\\d+)*(?:\\.\\d+)?'
const SCALE =
  '(?:\\s*(k|lakhs?|l|crores?|cr|million|mn|m|billion|bn|लाख|करोड़|हज़ार|हजार|லட்சம்|கோடி|ஆயிரம்)(?![\\p{L}\\p{M}]))?'
const MONTHS =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'
const LONGEST_COUNTED = 9

/** Text as it is said: numbers, money, days, times, telephone numbers, units, signs and abbreviations in words of the language around them. */
export function readAloud(text: string, own: Language): string {
  const written = own === 'hi' ? writeHindiWords(text.normalize('NFC')) : text.normalize('NFC')
  const language = languageAround(written, own)
  return RULES.reduce((said, rule) => rule(said, language), asciiDigits(written))
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim()
}

/** A number is read in the voice's language if the text has any of that, else in the text's own. */
export function languageAround(text: string, own: Language): NumberLanguage {
  const found = (['hi', 'ta', 'en'] as const).filter((language) => SCRIPT[language].test(text))
  return (
    found.find((language) => language === own) ??
    found[0] ??
    (own === 'hi' || own === 'ta' ? (own === 'hi' ? 'hi' : 'ta') : 'en')
  )
}

const SCRIPT = { hi: /\p{Script=Devanagari}/u, ta: /\p{Script=Tamil}/u, en: /\p{Script=Latin}/u } as const

const asciiDigits = (text: string): string =>
  text
    .replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replaceAll(/[௦-௯]/g, (digit) => String(digit.charCodeAt(0) - 0xbe6))

const count = (written: string, language: NumberLanguage, isMoney = false): string => {
  const [whole = '', part] = written.replaceAll(',', '').split('.')
  const { point } = READING_WORDS[language]
  const isIndian = isMoney || /\d,\d{2},\d{3}/.test(written)
  const isCode = whole.length > LONGEST_COUNTED && !written.includes(',') && !isMoney
  const head = isCode
    ? digitWords(whole, language)
    : numberWords(Number(whole), language, isIndian ? 'indian' : 'western')
  return part === undefined ? head : `${head} ${point} ${digitWords(part, language)}`
}

const replace = (
  pattern: RegExp,
  say: (found: readonly string[], language: NumberLanguage) => string | undefined,
): Rule => {
  return (text, language) =>
    text.replace(pattern, (...found: string[]) => {
      const said = say(found, language)
      return said === undefined ? (found[0] ?? '') : ` ${said} `
    })
}

/** Signs of money as they are written, to the one they stand for. */
const moneySign = (written: string): string => (/^(?:rs|inr|रु|ரூ|₹)/i.test(written) ? '₹' : written)

function money(sign: string, written: string, scale: string | undefined, language: NumberLanguage): string | undefined {
  const { money: names, scales, moneyAnd } = READING_WORDS[language]
  const [one, many, part] = names[moneySign(sign)] ?? []
  if (one === undefined || many === undefined || part === undefined) return undefined
  const isRupee = moneySign(sign) === '₹'
  if (scale !== undefined) return `${count(written, language, isRupee)} ${scales[scale.toLowerCase()] ?? scale} ${many}`
  const [whole = '', cents] = written.split('.')
  const hundredths = cents === undefined ? 0 : Number(cents.padEnd(2, '0').slice(0, 2))
  const head = `${count(whole, language, isRupee)} ${whole === '1' ? one : many}`
  return hundredths === 0 ? head : `${head}${moneyAnd}${numberWords(hundredths, language)} ${part}`
}

const monthNumber = (name: string): number =>
  'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(name.slice(0, 3).toLowerCase()) / 3 + 1
const halfOf = (written: string | undefined): Half =>
  written === undefined ? undefined : /^p/i.test(written) ? 'pm' : 'am'
const digitGroups = (written: string, language: NumberLanguage): string => {
  const groups = written.split(/[\s-]+/).filter(Boolean)
  const digits = groups.join('')
  const parts = groups.length > 1 ? groups : digits.length === 10 ? [digits.slice(0, 5), digits.slice(5)] : [digits]
  return parts.map((part) => digitWords(part, language)).join(', ')
}

const RULES: readonly Rule[] = [
  (text, language) => {
    const { abbreviations } = READING_WORDS[language]
    const isStart = '(?<![\\p{L}\\p{M}.])'
    return Object.entries(abbreviations).reduce(
      // The number sign only before a number, and money's sign only where no number follows: other rules read those.
      (said, [short, long]) =>
        said.replaceAll(
          new RegExp(
            `${isStart}${short.replaceAll('.', '\\.')}${short === 'No.' ? '(?=\\s*\\d)' : '(?!\\s*\\d)'}`,
            'gu',
          ),
          long,
        ),
      text,
    )
  },
  replace(
    new RegExp(
      `(₹|(?<![\\p{L}])Rs\\.?|(?<![\\p{L}])INR|रु\\.?(?!प)|ரூ\\.?(?!ப)|[$€£])\\s*(${NUMBER})${SCALE}(?:/-)?`,
      'giu',
    ),
    ([, sign = '', number = '', scale], language) => money(sign, number, scale, language),
  ),
  replace(/(?<![\d/-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d/-])/g, ([, year, month, day], language) =>
    readDay({ day: Number(day), month: Number(month), year: Number(year) }, language),
  ),
  replace(/(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/g, ([, day, , month, year = ''], language) =>
    readDay({ day: Number(day), month: Number(month), year: Number(year) + (year.length === 2 ? 2000 : 0) }, language),
  ),
  replace(
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(${MONTHS})\\b\\.?(?:,?\\s+(\\d{4})\\b)?`, 'g'),
    ([, day, month = '', year], language) =>
      readDay({ day: Number(day), month: monthNumber(month), year: year ? Number(year) : undefined }, language),
  ),
  replace(
    new RegExp(`\\b(${MONTHS})\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4})\\b)?`, 'g'),
    ([, month = '', day, year], language) =>
      readDay({ day: Number(day), month: monthNumber(month), year: year ? Number(year) : undefined }, language),
  ),
  replace(
    /(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?:\s*([ap])\.?m\b\.?)?(?:\s*बजे)?(?![\d:])/gi,
    ([, hour, minute, half], language) => readTime(Number(hour), Number(minute), halfOf(half), language),
  ),
  replace(/\b(\d{1,2})\s*([ap])\.?m\b\.?/gi, ([, hour, half], language) =>
    readTime(Number(hour), 0, halfOf(half), language),
  ),
  // What follows "OTP" or "नंबर" is no amount.
  replace(
    /(?<=(?:OTP|PIN|code|number|ID|पिन|कोड|नंबर|नम्बर|ओटीपी|எண்)(?:\s+is)?[\s:]+)\d{3,7}(?![\d.,:/-]*\d)/giu,
    ([all = ''], language) => digitWords(all, language),
  ),
  replace(
    /(?<![\d.,])\+(\d{1,3})[\s-]?(\d[\d\s-]{6,13}\d)(?![\d.,]*\d)/g,
    ([, country = '', rest = ''], language) =>
      `${READING_WORDS[language].signs['+']} ${digitWords(country, language)}, ${digitGroups(rest, language)}`,
  ),
  replace(/(?<![\d.,])(?:\d{3,5}[ -]\d{3,5}(?:[ -]\d{3,5})?|\d{8,}|0\d+)(?![\d.,]*\d)/g, ([all = ''], language) =>
    digitGroups(all, language),
  ),
  replace(
    new RegExp(`(${NUMBER})\\s*%`, 'g'),
    ([, number = ''], language) => `${count(number, language)} ${READING_WORDS[language].percent}`,
  ),
  replace(
    new RegExp(`(?<![\\d.])(${NUMBER})\\s?[-–]\\s?(${NUMBER})(?![\\d.]*\\d)`, 'g'),
    ([, from = '', to = ''], language) =>
      `${count(from, language)} ${READING_WORDS[language].to} ${count(to, language)}`,
  ),
  replace(/\b(\d+)(?:st|nd|rd|th)\b/g, ([, number], language) =>
    language === 'en' ? englishOrdinal(Number(number)) : numberWords(Number(number), language),
  ),
  replace(
    new RegExp(`(${NUMBER})\\s*(km/h|°[CF]?|[\\p{L}\\p{M}.]+)`, 'giu'),
    ([, number = '', unit = ''], language) => {
      const { units } = READING_WORDS[language]
      const [name, stop] = [
        units[unit.toLowerCase()] ?? units[unit.toLowerCase().replace(/\.$/, '')],
        unit.endsWith('.') && !(unit in units) ? '.' : '',
      ]
      return name === undefined ? undefined : `${count(number, language)} ${name}${stop}`
    },
  ),
  replace(/(?<=\b(?:in|since|year|of|from|until|till|by)\s)(1[1-9]\d{2}|20\d{2})\b(?![.,]\d)/gi, ([, year], language) =>
    readYear(Number(year), language),
  ),
  replace(/(?<![\d.,])(1[1-9]\d{2})(?![\d.,]*\d)/g, ([, year], language) =>
    language === 'hi' ? readYear(Number(year), 'hi') : undefined,
  ),
  replace(/(?<=^|\s)[-−](?=\d)/g, (_, language) => READING_WORDS[language].minus),
  replace(/#(?=\s?\d)/g, (_, language) => ({ en: 'number', hi: 'नंबर', ta: 'எண்' })[language]),
  replace(new RegExp(NUMBER, 'g'), ([number = ''], language) => count(number, language)),
  (text, language) =>
    Object.entries(READING_WORDS[language].signs).reduce(
      (said, [sign, word]) => said.replaceAll(sign, ` ${word} `),
      text,
    ),
  spellCapitals,
  (text) => text.replaceAll(/\s+([.,!?;:।॥])/gu, '$1'),
]

/** "OTP" is three letters. In a text that is all capitals nothing is known of its words. */
function spellCapitals(text: string): string {
  if (!/\p{Ll}|[^\P{L}\p{Script=Latin}]/u.test(text)) return text
  return text.replaceAll(/(?<![\p{L}\p{N}])[A-Z]{2,4}(?![\p{L}\p{N}])/gu, (word) =>
    SAID_AS_WORDS.has(word) ? word : [...word].join(' '),
  )
}
