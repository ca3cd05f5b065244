import type { WhisperVocabulary } from './whisper-vocabulary.ts'

/** Writing systems by their Unicode script names; digits, punctuation and signs common to all are always allowed. */
export type WritingSystem = 'Latin' | 'Devanagari' | (string & {})

/** Matches one letter that may be written. Signs used by some other scripts alone (the Arabic comma) are not common. */
function letterPattern(scripts: readonly WritingSystem[]): RegExp {
  const classes = [...scripts, 'Common'].map((script) => `\\p{Script_Extensions=${script}}`).join('')
  return new RegExp(`^[${classes}\\u200c\\u200d]$`, 'u')
}

/** Letters outside the allowed scripts, which half-letters may still have put together, are dropped. */
export function keepAllowedLetters(text: string, scripts: readonly WritingSystem[]): string {
  const allowed = letterPattern(scripts)
  return Array.from(text)
    .filter((letter) => allowed.test(letter))
    .join('')
}

/** One flag per token: may it be written? Tokens with a meaning of their own are not text and stay out. */
export function allowedTokens(vocabulary: WhisperVocabulary, scripts: readonly WritingSystem[]): Uint8Array {
  const allowed = letterPattern(scripts)
  const beginnings = new Map<string, boolean>()
  const mask = new Uint8Array(vocabulary.size)
  for (let token = 0; token < vocabulary.bytes.length; token++) {
    const bytes = vocabulary.bytes[token]
    if (bytes?.length && isAllowed(bytes, allowed, beginnings)) mask[token] = 1
  }
  for (const token of vocabulary.suppressed) mask[token] = 0
  return mask
}

function isAllowed(bytes: Uint8Array, allowed: RegExp, beginnings: Map<string, boolean>): boolean {
  let at = 0
  // The rest of a letter that the token before began: which letter it is was decided there, the final filter sees the rest.
  while (at < bytes.length && isContinuation(bytes[at])) at++
  if (at > 3) return false
  while (at < bytes.length) {
    const length = letterBytes(bytes[at] ?? 0)
    const letter = bytes.subarray(at, at + length)
    if (letter.length < length) return mayBecomeAllowed(letter, length, allowed, beginnings)
    if (!allowed.test(UTF8.decode(letter))) return false
    at += length
  }
  return true
}

/** Whether any letter that begins with these bytes may be written. No living script needs four bytes. */
function mayBecomeAllowed(
  begun: Uint8Array,
  length: number,
  allowed: RegExp,
  beginnings: Map<string, boolean>,
): boolean {
  if (length > 3) return false
  const key = begun.join()
  const known = beginnings.get(key) ?? endings(length - begun.length).some((end) => allowed.test(decode(begun, end)))
  beginnings.set(key, known)
  return known
}

function endings(free: number): number[][] {
  const last = Array.from({ length: 64 }, (_, i) => [0x80 | i])
  return free === 1 ? last : last.flatMap((first) => last.map((second) => [...first, ...second]))
}

const UTF8 = new TextDecoder()
const decode = (begun: Uint8Array, end: readonly number[]): string => UTF8.decode(Uint8Array.of(...begun, ...end))
const isContinuation = (byte = 0): boolean => byte >> 6 === 0b10
const letterBytes = (lead: number): number => (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4)
