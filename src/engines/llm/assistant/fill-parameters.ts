import type { Tool } from '../../../speech/language-model.ts'
import { type HeardNumber, hearNumbers } from './hear-numbers.ts'
import { hearName, hearPlace, hearRest } from './hear-phrases.ts'
import { hearDate, hearTime } from './hear-times.ts'
import { contentWords, heardWords, isSameWord } from './heard-words.ts'
import { wordsOfName } from './match-tool.ts'

export type Said = {
  readonly text: string
  readonly now: Date
  /** What was answered when a parameter was asked for: the whole answer may be its value. */
  readonly answers?: Readonly<Record<string, string>>
}
export type Filled = { readonly values: Readonly<Record<string, unknown>>; readonly missing: readonly string[] }

type Schema = Readonly<Record<string, unknown>>
type Field = {
  readonly name: string
  readonly schema: Schema
  readonly said: Said
  readonly isOther: (key: string) => boolean
  readonly isOnlyText: boolean
}

const SHORTEST_CODE = 3
const YES = /(?:^|\s)(?:yes|yeah|sure|ok|okay|true|haan|han|ji|हाँ|हां|जी)(?:\s|$|[.,!।])/iu
const NO = /(?:^|\s)(?:no|not|nope|false|nahi|nahin|mat|नहीं|मत|ना)(?:\s|$|[.,!।])/iu

/** What a tool wants to know, as far as it was said; `missing` is what it needs and was not. */
export function fillParameters(tool: Tool, said: Said): Filled {
  const schema = tool.parameters ?? {}
  const asking = contentWords(`${wordsOfName(tool.name)} ${tool.description ?? ''}`)
  const values = fillObject(schema, said, (key) => asking.some((word) => isSameWord(word, key)))
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  return { values, missing: required.filter((name) => !(name in values)) }
}

export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  // JSON Schema: properties are schemas by name; a caller's nonsense reads as none.
  isRecord(schema.properties) ? (schema.properties as Record<string, Schema>) : {}

function fillObject(schema: Schema, said: Said, isOther: (key: string) => boolean): Record<string, unknown> {
  const properties = Object.entries(propertiesOf(schema)).filter(([, property]) => isRecord(property))
  const isFree = (property: Schema) => typeOf(property) === 'string' && !Array.isArray(property.enum)
  const isOnlyText = properties.filter(([, property]) => isFree(property)).length === 1
  const fields = properties.map(([name, property]) => ({ name, schema: property, said, isOther, isOnlyText }))
  const taken = new Set<number>()
  // A code that is named ("order 45821") is nobody's amount; an amount is not the code that was not named.
  const order = [
    fields.filter((field) => isCode(field) && nearNumber(field, taken) !== undefined),
    fields.filter(isNumeric),
    fields,
  ]
  const values: Record<string, unknown> = {}
  for (const field of order.flat()) {
    const value = field.name in values ? undefined : fill(field, taken)
    if (value !== undefined) values[field.name] = value
  }
  return Object.fromEntries(properties.flatMap(([name]) => (name in values ? [[name, values[name]]] : [])))
}

function fill(field: Field, taken: Set<number>): unknown {
  const { schema, said, name } = field
  if (schema.const !== undefined) return schema.const
  const answer = said.answers?.[name]
  if (answer === undefined) return byType(field, taken) ?? schema.default
  const heard = byType({ ...field, said: { ...said, text: answer } }, new Set()) ?? byType(field, taken)
  const isFree = typeOf(schema) === 'string' && !Array.isArray(schema.enum)
  return heard ?? ((isFree && answer.trim().replace(/[.!?।]+$/u, '')) || schema.default)
}

function byType(field: Field, taken: Set<number>): unknown {
  const { schema, said, isOther } = field
  if (Array.isArray(schema.enum)) return hearChoices(schema.enum, said.text)[0]
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return hearNumber(field, taken)
    case 'boolean':
      return hearTruth(field)
    case 'array':
      return hearList(field)
    case 'object': {
      const inner = fillObject(schema, said, isOther)
      return Object.keys(inner).length > 0 ? inner : undefined
    }
    default:
      return hearText(field, taken)
  }
}

/** The values that were named, the longest first, so that "dark red" is not red. */
function hearChoices(values: readonly unknown[], text: string): unknown[] {
  const said = heardWords(text).map(({ key }) => key)
  const isNamed = (value: unknown) => {
    const words = heardWords(wordsOfName(String(value))).map(({ key }) => key)
    return words.length > 0 && words.every((word) => said.some((other) => isSameWord(word, other)))
  }
  return values.filter(isNamed).toSorted((a, b) => String(b).length - String(a).length)
}

const CODE = /\b(?:id|number|phone|mobile|otp|code|pin|account)\b/
const isCode = ({ name, schema }: Field): boolean => typeOf(schema) === 'string' && CODE.test(wordsOfName(name))
const isNumeric = ({ schema }: Field): boolean => /^(?:integer|number)$/.test(typeOf(schema))

const freeNumbers = ({ schema, said }: Field, taken: ReadonlySet<number>): HeardNumber[] =>
  hearNumbers(heardWords(said.text)).filter(
    ({ from, value }) => !taken.has(from) && (typeOf(schema) !== 'integer' || Number.isInteger(value)),
  )

/** The number beside the parameter's own word. */
function nearNumber(field: Field, taken: ReadonlySet<number>): HeardNumber | undefined {
  const words = heardWords(field.said.text)
  const own = contentWords(wordsOfName(field.name))
  const isOwn = (at: number) => own.some((other) => isSameWord(words[at]?.key ?? '', other))
  return freeNumbers(field, taken).find(
    ({ from, to }) => isOwn(from - 1) || isOwn(to) || (isCode(field) && isOwn(from - 2)),
  )
}

function hearNumber(field: Field, taken: Set<number>): number | undefined {
  const chosen = nearNumber(field, taken) ?? freeNumbers(field, taken)[0]
  if (chosen) taken.add(chosen.from)
  return chosen?.value
}

function hearTruth({ name, said }: Field): boolean | undefined {
  if (NO.test(said.text)) return false
  const own = contentWords(wordsOfName(name))
  const isNamed = contentWords(said.text).some((word) => own.some((other) => isSameWord(word, other)))
  return isNamed || YES.test(said.text) ? true : undefined
}

function hearList(field: Field): unknown[] | undefined {
  const items = isRecord(field.schema.items) ? field.schema.items : {}
  if (Array.isArray(items.enum)) return atLeastOne(hearChoices(items.enum, field.said.text))
  if (typeOf(items) === 'number' || typeOf(items) === 'integer') {
    return atLeastOne(hearNumbers(heardWords(field.said.text)).map(({ value }) => value))
  }
  const one = byType({ ...field, schema: items }, new Set())
  return typeof one === 'string' ? one.split(/\s+(?:and|aur|और)\s+|\s*,\s*/u) : one === undefined ? undefined : [one]
}

const atLeastOne = (values: unknown[]): unknown[] | undefined => (values.length > 0 ? values : undefined)

function hearText(field: Field, taken: Set<number>): string | undefined {
  const { name, schema, said, isOther, isOnlyText } = field
  const { text, now } = said
  const about = `${wordsOfName(name)} ${String(schema.format ?? '')}`
  if (/email/.test(about)) return /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0]
  if (/date-time|datetime/.test(about)) {
    const [date, time] = [hearDate(text, now), hearTime(text)]
    return date && time ? `${date}T${time}:00` : undefined
  }
  if (/\b(?:date|day)\b/.test(about)) return hearDate(text, now)
  if (/\btime\b/.test(about)) return hearTime(text)
  if (CODE.test(about)) return hearCode(field, taken)
  if (/\bname\b/.test(about)) return hearName(text, isOther) ?? (isOnlyText ? hearRest(text, isOther) : undefined)
  if (/\b(?:from|origin|source|start)\b/.test(about)) return hearPlace(text, 'start', isOther)
  if (/\b(?:to|destination|end)\b/.test(about)) return hearPlace(text, 'end', isOther)
  if (/\b(?:city|location|place|town|state|country|area|where)\b/.test(about)) {
    return hearPlace(text, 'place', isOther) ?? (isOnlyText ? hearRest(text, isOther) : undefined)
  }
  return isOnlyText ? hearRest(text, isOther) : undefined
}

/** "AB 123", "4 5 6 7", "nine eight seven": the one beside its own word, or else the longest that is free. */
function hearCode(field: Field, taken: Set<number>): string | undefined {
  const mixed = /\b[A-Z]+[\s-]?\d[A-Z\d-]*\b/.exec(field.said.text)?.[0]?.replaceAll(/\s/g, '')
  if (mixed !== undefined) return mixed
  const free = freeNumbers(field, taken).filter(({ digits }) => digits.length >= SHORTEST_CODE)
  const chosen = nearNumber(field, taken) ?? free.toSorted((a, b) => b.digits.length - a.digits.length)[0]
  if (chosen) taken.add(chosen.from)
  return chosen?.digits
}

/** The first type that is not null. */
function typeOf({ type, properties }: Schema): string {
  const types = Array.isArray(type) ? type.map(String) : [String(type ?? (properties ? 'object' : 'string'))]
  return types.find((each) => each !== 'null') ?? 'string'
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
