import { byteLetters } from './byte-letters.ts'

/** Tokens from here on are signs of the protocol: end, languages, tasks, timestamps. All of them are kept. */
const FIRST_SPECIAL = 50_257

const ASCII = range(0x20, 0x7e)
/** Devanagari, the joiners that shape its clusters, quotation marks and dashes, the rupee, degrees and the note of songs. */
const BEYOND_ASCII = [
  ...range(0x0900, 0x097f),
  ...range(0x200c, 0x200d),
  ...range(0x2010, 0x2015),
  ...range(0x2018, 0x201f),
  0x2026,
  0x20b9,
  0x00b0,
  0x266a,
]

const utf8 = new TextEncoder()
const asText = (bytes: readonly number[]): string => String.fromCharCode(...bytes)
const ENCODED = [...ASCII, ...BEYOND_ASCII].map((point) => asText([...utf8.encode(String.fromCodePoint(point))]))
const WHOLE = new Set(ENCODED)
const BEGINNINGS = new Set(
  ENCODED.flatMap((bytes) => [bytes.slice(0, 1), bytes.slice(0, 2)].filter((part) => part.length < bytes.length)),
)
const ENDINGS = new Set(ENCODED.flatMap((bytes) => [bytes.slice(1), bytes.slice(2)].filter(Boolean)))

/**
 * The tokens that can be part of text in Latin letters or Devanagari. A token may begin or end inside a letter of
 * several bytes, so it stays when its bytes fit into allowed letters. Urdu, Bengali or Chinese cannot be written with
 * what is left.
 */
export function keptTokens(vocabulary: Readonly<Record<string, number>>, size: number): number[] {
  const text = Object.entries(vocabulary)
    .filter(([token, id]) => id < FIRST_SPECIAL && fits(bytesOf(token)))
    .map(([, id]) => id)
  return [...text.toSorted((a, b) => a - b), ...range(FIRST_SPECIAL, size - 1)]
}

function fits(bytes: string): boolean {
  const starts = ['', bytes.slice(0, 1), bytes.slice(0, 2)].filter((part) => part === '' || ENDINGS.has(part))
  return starts.some((part) => isText(bytes.slice(part.length)))
}

function isText(bytes: string): boolean {
  for (let at = 0; at < bytes.length; ) {
    const letter = [1, 2, 3].find((length) => WHOLE.has(bytes.slice(at, at + length)))
    if (letter === undefined) return BEGINNINGS.has(bytes.slice(at))
    at += letter
  }
  return true
}

const BYTE_OF = byteLetters()
const bytesOf = (token: string): string => asText([...token].map((letter) => BYTE_OF.get(letter) ?? 0))

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
