import { LipikError } from '../platform/errors.ts'

const MAX_SHOWN_CHARACTERS = 255
const MAX_SAFE_BYTES = 120
const MAX_EXTENSION_BYTES = 12
const UNNAMED = 'unnamed'

/** Controls, broken surrogates, and what is invisible or turns the reading direction. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu

/**
 * The name a client gave, as we keep and show it: no folders, nothing invisible that could make `exe.wav` out of
 * `vaw.exe`, at most 255 characters. Hindi and all other letters stay.
 */
export function shownName(given: string): string {
  if (given.includes('\0')) throw new LipikError('invalid_request', 'a file name must not hold a NUL character')
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const cleaned = last.normalize('NFC').replace(UNSHOWABLE, '').trim()
  const name = /^\.*$/.test(cleaned) ? UNNAMED : cleaned
  return shorten(name, MAX_SHOWN_CHARACTERS, (text) => [...text].length)
}

/** The last part of a storage key: letters, digits, marks, `.`, `-` and `_`, short enough for every store. */
export function safeName(shown: string): string {
  const plain = shown
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '')
    .replace(/\.{2,}/g, '.')
  return shorten(plain || UNNAMED, MAX_SAFE_BYTES, (text) => Buffer.byteLength(text))
}

/** Cuts in front of the extension, between whole characters. */
function shorten(name: string, limit: number, sizeOf: (text: string) => number): string {
  if (sizeOf(name) <= limit) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES ? name.slice(dot) : ''
  let stem = ''
  let room = limit - sizeOf(extension)
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= sizeOf(character)
    if (room < 0) break
    stem += character
  }
  return stem + extension
}
