import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { STATUS, toFailure } from '../../src/http/errors.ts'
import { type ErrorCode, LipikError, RETRYABLE } from '../../src/platform/errors.ts'

const CODES = Object.keys(STATUS) as ErrorCode[] // Object.keys forgets the names it lists

describe('the table of errors', () => {
  it('stands in docs/errors.md as it is in the code', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \|/gm)].map((row) => row.slice(1))
    expect(rows).toEqual(CODES.map((code) => [code, String(STATUS[code]), RETRYABLE[code] ? 'yes' : 'no']))
  })

  it.each(CODES)('gives %s its status and its message', (code) => {
    const { status, body } = toFailure(new LipikError(code, 'this went wrong'))
    expect([status, body]).toEqual([STATUS[code], { detail: 'this went wrong' }])
  })

  it.each(CODES.filter((code) => [429, 503].includes(STATUS[code])))('says when to come back after %s', (code) => {
    expect(toFailure(new LipikError(code, 'later')).headers['retry-after']).toMatch(/^[1-9]\d*$/)
  })

  it('shows details beside the message', () => {
    const error = new LipikError('not_audio', 'two files were refused', { details: { files: ['a', 'b'] } })
    expect(toFailure(error).body).toEqual({ detail: { message: 'two files were refused', files: ['a', 'b'] } })
  })

  it.each([
    new Error('password=1'),
    'text',
    undefined,
    null,
    { statusCode: 404 },
    Object.assign(new Error('x'), { statusCode: 200 }),
  ])('turns anything else into a 500 without a word: %s', (error) =>
    expect(toFailure(error)).toEqual({ status: 500, headers: {}, body: { detail: 'internal error' } }))
})
