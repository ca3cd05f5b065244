import { hearNumbers } from './hear-numbers.ts'
import { type HeardWord, heardWords, keyOf } from './heard-words.ts'

const DAY_MS = 86_400_000
const MONTHS: readonly (readonly string[])[] = [
  'january jan जनवरी',
  'february feb फरवरी',
  'march mar मार्च',
  'april apr अप्रैल',
  'may मई',
  'june jun जून',
  'july jul जुलाई',
  'august aug अगस्त',
  'september sep sept सितंबर',
  'october oct अक्टूबर अक्तूबर',
  'november nov नवंबर',
  'december dec दिसंबर',
].map((row) => row.split(' ').map(keyOf))
const WEEKDAYS: readonly (readonly string[])[] = [
  'sunday रविवार ravivar इतवार itwar',
  'monday सोमवार somvar somwar',
  'tuesday मंगलवार mangalvar mangalwar',
  'wednesday बुधवार budhvar budhwar',
  'thursday गुरुवार guruvar guruwar',
  'friday शुक्रवार shukravar shukrawar',
  'saturday शनिवार shanivar shaniwar',
].map((row) => row.split(' ').map(keyOf))
/** Hindi's कल is yesterday too; who asks for something means the day that comes. */
const DAYS_AHEAD: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  आज: 0,
  aaj: 0,
  tomorrow: 1,
  कल: 1,
  kal: 1,
  परसों: 2,
  parso: 2,
  parson: 2,
  yesterday: -1,
}
const MORNING = new Set(['am', 'morning', 'सुबह', 'subah', 'सवेरे'].map(keyOf))
const LATER = new Set(
  ['pm', 'afternoon', 'evening', 'night', 'tonight', 'शाम', 'shaam', 'sham', 'रात', 'raat', 'दोपहर', 'dopahar'].map(
    keyOf,
  ),
)
const OCLOCK = new Set(['बजे', 'baje', "o'clock", 'oclock', 'बजकर', 'bajkar', 'am', 'pm'].map(keyOf))

/** The day that was named, as YYYY-MM-DD; `now` is the caller's day. */
export function hearDate(text: string, now: Date): string | undefined {
  return writtenDate(text) ?? namedDate(heardWords(text), now)
}

function writtenDate(text: string): string | undefined {
  const [, year, month, day] = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/.exec(text) ?? []
  if (year && month && day) return iso(Number(year), Number(month), Number(day))
  // Day first, as it is written in India.
  const [, first, second, last] = /\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b/.exec(text) ?? []
  if (!first || !second || !last) return undefined
  return iso(last.length === 2 ? 2000 + Number(last) : Number(last), Number(second), Number(first))
}

function namedDate(words: readonly HeardWord[], now: Date): string | undefined {
  const keys = words.map(({ key }) => key.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1'))
  const monthAt = keys.findIndex((key) => MONTHS.some((names) => names.includes(key)))
  if (monthAt !== -1) return dayOfMonth(words, monthAt, now)
  for (const key of keys) {
    const ahead = DAYS_AHEAD[key]
    if (ahead !== undefined) return isoOf(new Date(now.getTime() + ahead * DAY_MS))
    const weekday = WEEKDAYS.findIndex((names) => names.includes(key))
    if (weekday !== -1) return isoOf(new Date(now.getTime() + (((weekday - now.getDay() + 6) % 7) + 1) * DAY_MS))
  }
  return undefined
}

function dayOfMonth(words: readonly HeardWord[], monthAt: number, now: Date): string | undefined {
  const numbers = hearNumbers(words)
  const near = numbers.find(
    ({ from, to, value }) => value >= 1 && value <= 31 && (to === monthAt || from === monthAt + 1),
  )
  if (!near) return undefined
  const month = MONTHS.findIndex((names) => names.includes(words[monthAt]?.key ?? '')) + 1
  const year = numbers.find(({ value }) => value >= 1900 && value <= 2100)?.value
  const thisYear = iso(year ?? now.getFullYear(), month, near.value)
  const isOver = year === undefined && thisYear !== undefined && thisYear < isoOf(now)
  return isOver ? iso(now.getFullYear() + 1, month, near.value) : thisYear
}

/** The time that was named, as HH:MM. */
export function hearTime(text: string): string | undefined {
  const words = heardWords(text)
  const isLater = words.some(({ key }) => LATER.has(key)) || /\d\s*p\.?m/i.test(text)
  const isMorning = words.some(({ key }) => MORNING.has(key)) || /\d\s*a\.?m/i.test(text)
  const [, hour, minute] = /\b(\d{1,2})[:.](\d{2})\b/.exec(text) ?? []
  if (hour && minute) return clock(Number(hour), Number(minute), isLater, isMorning)
  const said = hearNumbers(words).find(
    ({ to, value }) => value <= 24 && (OCLOCK.has(words[to]?.key ?? '') || isLater || isMorning),
  )
  const glued = /\b(\d{1,2})\s*[ap]\.?m\b/i.exec(text)?.[1]
  const value = said?.value ?? (glued === undefined ? undefined : Number(glued))
  return value === undefined ? undefined : clock(Math.floor(value), Math.round((value % 1) * 60), isLater, isMorning)
}

function clock(hour: number, minute: number, isLater: boolean, isMorning: boolean): string | undefined {
  const turned = isLater && hour < 12 ? hour + 12 : isMorning && hour === 12 ? 0 : hour
  return turned < 24 && minute < 60 ? `${two(turned)}:${two(minute)}` : undefined
}

function iso(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

const isoOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
const two = (number: number): string => String(number).padStart(2, '0')
