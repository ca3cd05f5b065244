import { wordsOfName } from './match-tool.ts'
import { type AssistantLanguage, labelOf, PHRASES } from './phrases.ts'

/** Fields that are an answer by themselves. */
const SPOKEN_FIELDS = ['speech', 'message', 'answer', 'text', 'summary', 'response']
const MOST_ITEMS = 5

/** What a tool gave back, as a sentence. */
export function readResult(output: string, language: AssistantLanguage): string {
  const phrases = PHRASES[language]
  const value = parsed(output)
  if (value === null || value === '') return phrases.done
  if (isRecord(value)) {
    const failure = value.error ?? value.failure
    if (failure) return phrases.failed(typeof failure === 'string' ? failure : read(failure, language))
    const spoken = SPOKEN_FIELDS.map((name) => value[name]).find((field) => typeof field === 'string' && field !== '')
    if (spoken !== undefined) return String(spoken)
    if (Object.keys(value).length === 0) return phrases.done
  }
  const said = read(value, language)
  const sentence = said.charAt(0).toUpperCase() + said.slice(1)
  return /[.!?।]$/u.test(sentence) ? sentence : sentence + phrases.stop
}

function read(value: unknown, language: AssistantLanguage): string {
  const phrases = PHRASES[language]
  if (typeof value === 'boolean') return value ? phrases.yes : phrases.no
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map((item) => read(item, language))
    return phrases.many(value.length) + items.join(', ')
  }
  if (!isRecord(value)) return String(value)
  const facts = Object.entries(value)
    .filter(([, field]) => field !== null && field !== '')
    .map(([name, field]) => {
      const label = labelOf(wordsOfName(name), language)
      return isRecord(field) ? `${label}: ${read(field, language)}` : phrases.is(label, read(field, language))
    })
  return [facts.slice(0, -1).join(', '), facts.at(-1)].filter(Boolean).join(phrases.and)
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output.trim()
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
