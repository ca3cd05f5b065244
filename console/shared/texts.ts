import { ENGLISH } from './english.ts'
import { HINDI } from './hindi.ts'
import { language } from './preferences.ts'

export type TextKey = keyof typeof ENGLISH
type Values = Readonly<Record<string, string | number>>

const TEXTS = { en: ENGLISH, hi: HINDI }
const LOCALES = { en: 'en-IN', hi: 'hi-IN-u-nu-latn' }

/** The interface's text in the chosen language, `{name}` filled in; reading it in a component follows the choice. */
export function text(key: TextKey, values: Values = {}): string {
  return TEXTS[language.value][key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** For names that come from the service; one that is not known here is shown as it is. */
export const named = (prefix: 'tag' | 'tone', name: string): string => {
  const key = `${prefix}_${name}`
  return key in ENGLISH ? text(key as TextKey) : name
}

/** Made once for each language: making one takes longer than drawing a row of a list. */
const writers = {
  en: writersOf(LOCALES.en),
  hi: writersOf(LOCALES.hi),
}

function writersOf(locale: string) {
  return {
    time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    number: new Intl.NumberFormat(locale),
    language: new Intl.DisplayNames(locale, { type: 'language' }),
  }
}

export const whenShort = (iso: string): string => writers[language.value].time.format(new Date(iso))

export const count = (value: number): string => writers[language.value].number.format(value)

/** A language by its code, in the interface's language. */
export const languageName = (code: string): string => writers[language.value].language.of(code) ?? code

/** 1:04:09, 4:09 */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** About how long: "40 s", "3 min", "2 h". */
export function roughly(seconds: number): string {
  if (seconds < 90) return text('seconds', { n: Math.max(1, Math.round(seconds)) })
  if (seconds < 5400) return text('minutes', { n: Math.round(seconds / 60) })
  return text('hours', { n: Math.round(seconds / 360) / 10 })
}

/** "840 ms", "2.4 s". */
export const briefly = (ms: number): string =>
  ms < 1000 ? text('milliseconds', { n: Math.round(ms) }) : text('seconds', { n: (ms / 1000).toFixed(1) })

const UNITS = ['B', 'kB', 'MB', 'GB']

export function bytes(size: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  const value = size / 1000 ** step
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`
}
