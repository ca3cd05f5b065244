import type { ByteRange } from '../platform/storage/blob-store.ts'

/**
 * What a `Range` header asks of `bytes` bytes (RFC 9110, section 14). Several ranges, other units and malformed values are
 * answered with the whole; a range that begins past the end cannot be.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '')
    return Number(to) === 0 ? 'unsatisfiable' : { first: Math.max(0, bytes - Number(to)), last: bytes - 1 }
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)]
  if (to !== '' && Number(to) < first) return 'whole'
  return first >= bytes ? 'unsatisfiable' : { first, last }
}
