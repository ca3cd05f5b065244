import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeName, shownName } from '../../src/files/file-name.ts'
import { uploadKey, userPrefix } from '../../src/files/storage-key.ts'
import type { FileId, UploadBatchId, UserId } from '../../src/platform/ids.ts'
import { checkBlobKey } from '../../src/platform/storage/blob-key.ts'

const user = 'asha@example.com' as UserId
const ids = { batch: 'b' as UploadBatchId, file: 'f' as FileId }

describe('a file name', () => {
  it.each([
    ['call.wav', 'call.wav', 'call.wav'],
    ['मीटिंग 12.mp3', 'मीटिंग 12.mp3', 'मीटिंग_12.mp3'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\calls\\a.wav', 'a.wav', 'a.wav'],
    ['..', 'unnamed', 'unnamed'],
    ['', 'unnamed', 'unnamed'],
    ['/', 'unnamed', 'unnamed'],
    ['.hidden', '.hidden', 'hidden'],
    ['call\u202Evaw.exe', 'callvaw.exe', 'callvaw.exe'],
    ['\u200Fcall\u2066.wav\u200B', 'call.wav', 'call.wav'],
    ['a\r\nX-Evil: 1.wav', 'aX-Evil: 1.wav', 'aX-Evil_1.wav'],
    ['a?b#c%2F&d.wav', 'a?b#c%2F&d.wav', 'a_b_c_2F_d.wav'],
    ['a...wav', 'a...wav', 'a.wav'],
    ['🎧.wav', '🎧.wav', 'wav'],
    ['e\u0301.wav', '\u00e9.wav', '\u00e9.wav'],
  ])('%j is shown as %j and kept as %j', (given, shown, kept) => {
    expect(shownName(given)).toBe(shown)
    expect(safeName(shownName(given))).toBe(kept)
  })

  it('is refused with a NUL', () => {
    expect(() => shownName('a\0.wav')).toThrow(/NUL/)
  })

  it('of four thousand letters is cut between letters, its extension kept', () => {
    const given = `${'क्षत्रिय'.repeat(500)}.mp3`
    expect([...shownName(given)]).toHaveLength(255)
    expect(shownName(given)).toMatch(/\.mp3$/)
    expect(Buffer.byteLength(safeName(shownName(given)))).toBeLessThanOrEqual(120)
    expect(safeName(shownName(given))).toMatch(/\.mp3$/)
    expect(safeName(shownName(given))).not.toContain('\ufffd')
  })

  it('never makes a key that a store would refuse or that leaves its folder', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('.', '/', '\\', '\u202e', 'a', ' ') }),
    )
    fc.assert(
      fc.property(anything, (given) => {
        fc.pre(!given.includes('\0'))
        const key = uploadKey(user, { ...ids, filename: shownName(given) })
        expect(checkBlobKey(key)).toBe(key)
        expect(key.split('/')).toHaveLength(6)
      }),
      { numRuns: 2_000 },
    )
  })

  it('lies under a hash of its user, never under the subject itself', () => {
    expect(userPrefix(user)).toMatch(/^users\/[\w-]{43}\/$/)
    expect(userPrefix(user)).not.toBe(userPrefix('ravi' as UserId))
    expect(uploadKey(user, { ...ids, filename: 'a.wav' })).toBe(`${userPrefix(user)}uploads/b/f/a.wav`)
  })
})
