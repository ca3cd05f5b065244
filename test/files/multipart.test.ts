import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundaryOf, readMultipart } from '../../src/files/multipart.ts'
import { BOUNDARY, multipartForm } from '../support/multipart-form.ts'

type Read = { name: string; filename: string | undefined; bytes: string }

async function* chunked(body: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield body.subarray(at, at + size)
    at += size
  }
}

async function read(body: Buffer, sizes: readonly number[] = [65_536]): Promise<Read[]> {
  const parts: Read[] = []
  for await (const { name, filename, body: bytes } of readMultipart(chunked(body, sizes), BOUNDARY)) {
    const chunks: Buffer[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    parts.push({ name, filename, bytes: Buffer.concat(chunks).toString('latin1') })
  }
  return parts
}

/** Bytes that look like delimiters are the hard ones. */
const content = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '-',
      '--',
      '\r\n',
      '\r\n--',
      `--${BOUNDARY.slice(0, 9)}`,
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      'x',
      '\0',
      '\xff',
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

describe('a multipart body', () => {
  it('is read the same however it is cut', async () => {
    const files = fc.array(content, { maxLength: 4 })
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(files, sizes, async (contents, cuts) => {
        const form = multipartForm(
          contents.map((bytes) => ({ filename: 'a.wav', bytes: Buffer.from(bytes, 'latin1') })),
        )
        expect(await read(form, cuts)).toEqual(contents.map((bytes) => ({ name: 'files', filename: 'a.wav', bytes })))
      }),
      { numRuns: 300 },
    )
  })

  it('may have a preamble, an epilogue, blanks behind a delimiter, and parts nobody reads', async () => {
    const form = Buffer.from(
      `hello\r\n--${BOUNDARY} \t\r\nContent-Disposition: form-data; name=a\r\n\r\nfirst\r\n` +
        `--${BOUNDARY}\r\ncontent-type: text/plain\r\nCONTENT-DISPOSITION:form-data;name="b"\r\n\r\nsecond\r\n--${BOUNDARY}--\r\nbye`,
    )
    const names: string[] = []
    for await (const { name, body } of readMultipart(chunked(form, [7]), BOUNDARY)) {
      names.push(name)
      for await (const _ of body) break
    }
    expect(names).toEqual(['a', 'b'])
    expect(await read(form)).toEqual([
      { name: 'a', filename: undefined, bytes: 'first' },
      { name: 'b', filename: undefined, bytes: 'second' },
    ])
  })

  it('lets go of its source when its reader leaves', async () => {
    let isOpen = true
    const source = (async function* () {
      try {
        yield multipartForm([{ filename: 'a', bytes: 'x' }]).subarray(0, -1)
        yield Buffer.from('\n')
      } finally {
        isOpen = false
      }
    })()
    for await (const _ of readMultipart(source, BOUNDARY)) break
    expect(isOpen).toBe(false)
  })

  it.each([
    ['plain', 'filename="call.wav"', 'call.wav'],
    ['Hindi', 'filename="कॉल.wav"', 'कॉल.wav'],
    ['quotes as a command line writes them', 'filename="a \\"b\\" \\\\c.wav"', 'a "b" \\c.wav'],
    ['quotes and line ends as a browser writes them', 'filename="a%22b%0D%0Ac.wav"', 'a"b\r\nc.wav'],
    ['an old browser', 'filename="C:\\calls\\a.wav"', 'C:\\calls\\a.wav'],
    ['a semicolon within', 'filename="a; name=b.wav"', 'a; name=b.wav'],
    ['an extended name before a plain one', `filename="x.wav"; filename*=UTF-8''%E0%A4%95.wav`, 'क.wav'],
    ['an extended name that is broken', `filename="x.wav"; filename*=UTF-8''%zz`, 'x.wav'],
    ['a token', 'filename=call.wav', 'call.wav'],
    ['empty', 'filename=""', ''],
  ])('reads a name that is %s', async (_, parameter, filename) => {
    const form = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; ${parameter}\r\n\r\nx\r\n--${BOUNDARY}--`,
    )
    expect(await read(form)).toEqual([{ name: 'files', filename, bytes: 'x' }])
  })

  it.each([
    ['no delimiter at all', 'nothing here'],
    ['nothing', ''],
    ['an end in the middle of a part', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nhalf`],
    ['an end in the middle of headers', `--${BOUNDARY}\r\nContent-Dispo`],
    ['no last delimiter', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--${BOUNDARY}`],
    ['a part without a name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['a part without headers', `--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['an attachment', `--${BOUNDARY}\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['words behind a delimiter', `--${BOUNDARY}words\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['endless headers', `--${BOUNDARY}\r\nX: ${'y'.repeat(70_000)}\r\n\r\nx\r\n--${BOUNDARY}--`],
  ])('is refused with %s', async (_, text) => {
    await expect(read(Buffer.from(text), [10_000])).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
    ['multipart/form-data;boundary=abc; charset=utf-8', 'abc'],
  ])('has the boundary that %s says', (type, boundary) => expect(boundaryOf(type)).toBe(boundary))

  it.each([
    undefined,
    '',
    'application/json',
    'multipart/form-data',
    'multipart/mixed; boundary=abc',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ])('has no boundary in %s', (type) => expect(() => boundaryOf(type)).toThrow())
})
