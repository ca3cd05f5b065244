import { type HeardWord, heardWords, isEmptyWord, keyOf } from './heard-words.ts'

const MOST_WORDS = 3
const NAME_INTROS = [
  /\b(?:my name is|i am|i'm|this is|call me|name is|for)\s+(?<name>[^,.;!?।]+)/iu,
  /(?:मेरा नाम|नाम)\s+(?<name>[^,.;!?।]+)/u,
  /\b(?:mera naam|naam)\s+(?<name>[^,.;!?।]+)/iu,
  /(?:என் பெயர்|பெயர்)\s+(?<name>[^,.;!?।]+)/u,
]
const BEFORE_PLACE = new Set(['in', 'at', 'for', 'near', 'of', 'around'])
const AFTER_PLACE = new Set(['में', 'का', 'की', 'के', 'mein', 'me', 'ka', 'ki', 'ke'].map(keyOf))
const BEFORE_START = new Set(['from'])
const AFTER_START = new Set(['से', 'se'])
const BEFORE_END = new Set(['to', 'towards', 'till'])
const AFTER_END = new Set(['तक', 'tak', 'जाना', 'jana', 'jaana', 'को', 'ko', 'के', 'ke'].map(keyOf))

export type PlaceRole = 'place' | 'start' | 'end'
const MARKS: Readonly<Record<PlaceRole, { before: ReadonlySet<string>; after: ReadonlySet<string> }>> = {
  place: { before: BEFORE_PLACE, after: AFTER_PLACE },
  start: { before: BEFORE_START, after: AFTER_START },
  end: { before: BEFORE_END, after: AFTER_END },
}

/** Who the caller says it is about: "my name is Asha Rao", "मेरा नाम आशा है". */
export function hearName(text: string, isOther: (key: string) => boolean): string | undefined {
  for (const intro of NAME_INTROS) {
    const words = takeWhileNamed(heardWords(intro.exec(text)?.groups?.name ?? ''), isOther)
    if (words.length > 0) return words.map(capitalised).join(' ')
  }
  return undefined
}

/** A place beside the word that makes it one: "in Pune", "पुणे में", "from Delhi", "दिल्ली से". `isOther` words are no places. */
export function hearPlace(text: string, role: PlaceRole, isOther: (key: string) => boolean): string | undefined {
  const words = heardWords(text)
  const { before, after } = MARKS[role]
  const isPlace = (word: HeardWord | undefined) =>
    word !== undefined && !isEmptyWord(word.key) && !isOther(word.key) && !/\d/.test(word.key)
  for (const [at, { key }] of words.entries()) {
    const follows = before.has(key) ? words.slice(at + 1).findIndex((word) => !isPlace(word)) : 0
    const after_ = before.has(key) ? words.slice(at + 1, follows === -1 ? undefined : at + 1 + follows) : []
    if (after_.length > 0) return after_.slice(0, MOST_WORDS).map(capitalised).join(' ')
    if (!after.has(key) || !isPlace(words[at - 1])) continue
    const first = isPlace(words[at - 2]) ? at - 2 : at - 1
    return words.slice(first, at).map(capitalised).join(' ')
  }
  return undefined
}

/** What is left when the words that ask for it are gone. */
export function hearRest(text: string, isOther: (key: string) => boolean): string | undefined {
  const words = heardWords(text)
  const isAsking = ({ key }: HeardWord) => isEmptyWord(key) || isOther(key)
  const from = words.findIndex((word) => !isAsking(word))
  const to = words.findLastIndex((word) => !isAsking(word))
  return from === -1
    ? undefined
    : words
        .slice(from, to + 1)
        .map(({ text: said }) => said)
        .join(' ')
}

function takeWhileNamed(words: readonly HeardWord[], isOther: (key: string) => boolean): HeardWord[] {
  const end = words.findIndex(({ key }) => isEmptyWord(key) || isOther(key) || /\d/.test(key))
  return words.slice(0, Math.min(end === -1 ? words.length : end, MOST_WORDS))
}

const capitalised = ({ text }: HeardWord): string => text.charAt(0).toUpperCase() + text.slice(1)
