import { LipikError } from '../platform/errors.ts'
import { readDisposition } from './content-disposition.ts'

export type Part = {
  readonly name: string
  /** Absent: a plain field, not a file. */
  readonly filename: string | undefined
  /** To be read before the next part is asked for; what is left of it is skipped then. */
  readonly body: AsyncIterable<Buffer>
}

const CRLF = Buffer.from('\r\n')
const CARRIAGE_RETURN = 13
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const MAX_HEADER_BYTES = 65_536
/** RFC 2046, section 5.1.1: one to 70 characters; more from a careless client does no harm. */
const MAX_BOUNDARY = 200
const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i

export function boundaryOf(contentType: string | undefined): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  if (!boundary || boundary.length > MAX_BOUNDARY)
    throw new LipikError('invalid_request', 'the body must be multipart/form-data with a boundary')
  return boundary
}

/**
 * Parts of a multipart body (RFC 7578, RFC 2046) as they arrive. Pulled by the reader: nothing is held but the chunk at
 * hand, and bytes of a part are handed on without a copy.
 */
export async function* readMultipart(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const source = new DelimitedSource(body, Buffer.from(`\r\n--${boundary}`))
  try {
    await skip(source.untilDelimiter())
    while (await source.startsPart()) {
      const { name, filename } = readDisposition(await source.takeUntil(END_OF_HEADERS, MAX_HEADER_BYTES))
      const rest = source.untilDelimiter()
      yield { name, filename, body: { [Symbol.asyncIterator]: () => keepOpen(rest) } }
      await skip(rest)
    }
  } finally {
    await source.close()
  }
}

async function skip(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

/** A reader that leaves its loop early must not close the generator: the rest of the part has still to be skipped. */
const keepOpen = (chunks: AsyncGenerator<Buffer>): AsyncIterator<Buffer> => ({ next: () => chunks.next() })

class DelimitedSource {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  /** A first delimiter has no line before it; this line end stands for it. */
  #held: Buffer = CRLF

  constructor(body: AsyncIterable<Buffer>, delimiter: Buffer) {
    this.#chunks = body[Symbol.asyncIterator]()
    this.#delimiter = delimiter
  }

  /** Everything before the next delimiter; afterwards the source stands behind it. */
  async *untilDelimiter(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(this.#delimiter)
      const sure = at >= 0 ? at : this.#held.length - this.#startedDelimiter()
      const before = this.#held.subarray(0, sure)
      this.#held = this.#held.subarray(at >= 0 ? at + this.#delimiter.length : sure)
      if (before.length > 0) yield before
      if (at >= 0) return
      await this.#read()
    }
  }

  /** Behind a delimiter: a line end (after optional blanks) starts a part, two dashes end the body. */
  async startsPart(): Promise<boolean> {
    while (this.#held.length < 2) await this.#read()
    if (this.#held.toString('latin1', 0, 2) === '--') return false
    const padding = await this.takeUntil(CRLF, MAX_BOUNDARY)
    if (/[^ \t]/.test(padding.toString('latin1'))) throw malformed('a delimiter is followed by something else')
    // Put back: headers may be empty, and then their end begins with this line end.
    this.#held = Buffer.concat([CRLF, this.#held])
    return true
  }

  async takeUntil(end: Buffer, maxBytes: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(end)
      const taken = this.#held.subarray(0, at >= 0 ? at : undefined)
      if (taken.length > maxBytes) throw malformed('the headers of a part are too long')
      if (at >= 0) {
        this.#held = this.#held.subarray(at + end.length)
        return taken
      }
      await this.#read()
    }
  }

  /** The body is let go whether or not it was read to its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** How many of the last bytes held may be the beginning of a delimiter. */
  #startedDelimiter(): number {
    let at = Math.max(0, this.#held.length - this.#delimiter.length + 1) - 1
    for (;;) {
      at = this.#held.indexOf(CARRIAGE_RETURN, at + 1)
      if (at < 0) return 0
      const tail = this.#held.subarray(at)
      if (tail.equals(this.#delimiter.subarray(0, tail.length))) return tail.length
    }
  }

  async #read(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw malformed('it ends in the middle of a part')
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, next.value]) : next.value
  }
}

const malformed = (why: string) => new LipikError('invalid_request', `the multipart body is malformed: ${why}`)
