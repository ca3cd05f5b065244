import { describe, expect, it } from 'vitest'
import { type FileId, isUuid, newId, type UserId, urlFileId } from '../../src/platform/ids.ts'

const [asha, ravi] = ['asha', 'ravi'] as [UserId, UserId] // two subjects as an issuer would name them

describe('ids', () => {
  it('sort in the order they were made', () => {
    const made = Array.from({ length: 1_000 }, () => newId<FileId>())
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(1_000)
    expect(made.every((id) => isUuid(id) && id[14] === '7')).toBe(true)
  })

  it('of a URL are the same for the same user and URL, and for nobody else', () => {
    const id = urlFileId(asha, 'https://example.org/call.mp3')
    expect(id[14]).toBe('5')
    expect(urlFileId(asha, 'https://example.org/call.mp3')).toBe(id)
    expect(urlFileId(ravi, 'https://example.org/call.mp3')).not.toBe(id)
    expect(urlFileId(asha, 'https://example.org/call2.mp3')).not.toBe(id)
    // The id of a released version: if this changes, known URLs become new files.
    expect(id).toBe('8f8cc02a-98e3-5656-972c-11d41c89f207')
  })

  it('keep a user apart from another whose name runs into the URL', () => {
    expect(urlFileId('a' as UserId, 'bc')).not.toBe(urlFileId('ab' as UserId, 'c'))
  })

  it.each([
    '',
    'x',
    '0190f5e2-0000-7000-8000-00000000000',
    "0190f5e2-0000-7000-8000-000000000000'",
  ])('are not %j', (text) => expect(isUuid(text)).toBe(false))
})
