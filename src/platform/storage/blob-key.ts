import { LipikError } from '../errors.ts'

const MAX_KEY_BYTES = 1024
const MAX_SEGMENT_BYTES = 255

/**
 * Keys are made by us, so a bad one is a fault of ours or an attack that got far: refused by every store alike, before
 * any of them can take `..` for a folder.
 */
export function checkBlobKey(key: string): string {
  const segments = key.split('/')
  const isBad = Buffer.byteLength(key) > MAX_KEY_BYTES || hasControls(key) || segments.some(isBadSegment)
  if (isBad) throw new LipikError('invalid_request', 'not a storage key')
  return key
}

const isBadSegment = (segment: string): boolean =>
  segment === '' || segment.startsWith('.') || Buffer.byteLength(segment) > MAX_SEGMENT_BYTES

const hasControls = (key: string): boolean => /\p{Cc}|\\/u.test(key)
