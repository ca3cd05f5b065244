import { describe, expect, it } from 'vitest'
import { createLogger, type Logger, withRequestId } from '../../src/platform/log.ts'

function written(write: (log: Logger) => void): string {
  const lines: string[] = []
  write(createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } }))
  return lines.join('')
}

describe('the log', () => {
  it('is one JSON object a line with the time, the level, the request and the fields', () => {
    const line = written((log) => withRequestId(log, 'r-1').info({ bytes: 3 }, 'file received'))
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: 'r-1',
      bytes: 3,
      msg: 'file received',
    })
  })

  it.each([
    { token: 'hidden' },
    { authorization: 'hidden' },
    { headers: { authorization: 'hidden', cookie: 'hidden' } },
    { request: { headers: { authorization: 'hidden' } } },
    { password: 'hidden' },
    { transcript: 'hidden' },
    { result: { text: 'hidden', segments: ['hidden'] } },
    { job: { result: { text: 'hidden' } } },
  ])('never shows %j', (fields) => {
    const line = written((log) => log.error(fields, 'something'))
    expect(line).not.toContain('hidden')
    expect(line).toContain('[redacted]')
  })

  it('leaves out what drivers hang onto an error', () => {
    const error = Object.assign(new Error('row refused', { cause: new Error('too long') }), {
      code: '23514',
      detail: 'Failing row contains (hidden)',
      config: { headers: { 'x-key': 'hidden' } },
    })
    const line = written((log) => log.error({ error }, 'could not write'))
    expect(line).not.toContain('hidden')
    expect(JSON.parse(line).error).toMatchObject({ code: '23514', cause: { message: 'too long' } })
    expect(written((log) => log.error({ err: error }, 'could not write'))).not.toContain('hidden')
  })

  it('tells an error with its stack', () => {
    const line = written((log) => log.error({ error: new Error('the disk is gone') }, 'could not write'))
    expect(JSON.parse(line).error).toMatchObject({ type: 'Error', message: 'the disk is gone' })
  })
})
