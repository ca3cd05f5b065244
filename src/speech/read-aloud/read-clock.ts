import { type NumberLanguage, numberWords } from '../number-words.ts'
import { READING_WORDS } from './reading-words.ts'

/** 1947 is nineteen forty seven, and उन्नीस सौ सैंतालीस. */
export function readYear(year: number, language: NumberLanguage): string {
  const [century, rest] = [Math.floor(year / 100), year % 100]
  if (language === 'hi' && year >= 1100 && year < 2000) {
    return `${numberWords(century, 'hi')} सौ${rest === 0 ? '' : ` ${numberWords(rest, 'hi')}`}`
  }
  if (language !== 'en' || year < 1100 || year >= 2100 || (year >= 2000 && year < 2010))
    return numberWords(year, language)
  if (rest === 0) return `${numberWords(century, 'en')} hundred`
  return `${numberWords(century, 'en')} ${rest < 10 ? 'oh ' : ''}${numberWords(rest, 'en')}`
}

const IRREGULAR: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

export function englishOrdinal(number: number): string {
  const cardinal = numberWords(number, 'en')
  const last = /\w+$/.exec(cardinal)?.[0] ?? ''
  const ordinal = IRREGULAR[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return cardinal.slice(0, cardinal.length - last.length) + ordinal
}

export type Day = { readonly day: number; readonly month: number; readonly year?: number | undefined }

/** Undefined where there is no such day: then it was something else that looked like one. */
export function readDay({ day, month, year }: Day, language: NumberLanguage): string | undefined {
  const name = READING_WORDS[language].months[month - 1]
  if (name === undefined || day < 1 || day > 31) return undefined
  const said = language === 'en' ? englishOrdinal(day) : numberWords(day, language)
  return [said, name, ...(year === undefined ? [] : [readYear(year, language)])].join(' ')
}

export type Half = 'am' | 'pm' | undefined

/** Undefined where no clock shows it. */
export function readTime(hour: number, minute: number, half: Half, language: NumberLanguage): string | undefined {
  if (hour > 24 || minute > 59 || (half && (hour < 1 || hour > 12))) return undefined
  const number = (value: number) => numberWords(value, language)
  if (language === 'hi') {
    const clock = minute === 0 ? `${number(hour)} बजे` : `${number(hour)} बजकर ${number(minute)} मिनट`
    return [hindiPartOfDay(hour, half), clock].filter(Boolean).join(' ')
  }
  if (language === 'ta') {
    const clock = minute === 0 ? `${number(hour)} மணி` : `${number(hour)} மணி ${number(minute)} நிமிடம்`
    return [tamilPartOfDay(hour, half), clock].filter(Boolean).join(' ')
  }
  const minutes =
    minute === 0
      ? half
        ? ''
        : hour > 12
          ? 'hundred hours'
          : "o'clock"
      : `${minute < 10 ? 'oh ' : ''}${number(minute)}`
  return [number(hour), minutes, half && `${half.charAt(0)} m`].filter(Boolean).join(' ')
}

function hindiPartOfDay(hour: number, half: Half): string {
  if (half === undefined) return ''
  if (half === 'am') return hour === 12 || hour < 4 ? 'रात' : 'सुबह'
  return hour === 12 || hour < 4 ? 'दोपहर' : hour < 8 ? 'शाम' : 'रात'
}

function tamilPartOfDay(hour: number, half: Half): string {
  if (half === undefined) return ''
  if (half === 'am') return hour === 12 ? 'நள்ளிரவு' : 'காலை'
  return hour === 12 || hour < 4 ? 'மதியம்' : hour < 8 ? 'மாலை' : 'இரவு'
}
