import type { UploadSource } from './upload-source.ts'

export type MultipartBody = {
  readonly contentType: string
  readonly size: number
  /** The body from its beginning; `onSent` hears how many bytes of files have been taken so far. */
  stream(onSent: (bytes: number) => void): ReadableStream<Uint8Array>
}

/** Files as `multipart/form-data` (RFC 7578), read while they are sent. */
export function toMultipart(files: readonly UploadSource[], boundary: string): MultipartBody {
  const encoder = new TextEncoder()
  const heads = files.map(({ name }) => encoder.encode(headOf(name, boundary)))
  const end = encoder.encode(`--${boundary}--\r\n`)
  const framing = heads.reduce((sum, { length }) => sum + length + 2, 0) + end.length
  async function* pieces(onSent: (bytes: number) => void) {
    let sent = 0
    for (const [index, file] of files.entries()) {
      yield heads[index] ?? end
      for await (const piece of file.read()) {
        yield piece
        sent += piece.length
        onSent(sent)
      }
      yield encoder.encode('\r\n')
    }
    yield end
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: framing + files.reduce((sum, { size }) => sum + size, 0),
    stream: (onSent) => toStream(pieces(onSent)),
  }
}

/** Names are escaped as browsers do it (WHATWG HTML, "multipart form data"). */
function headOf(name: string, boundary: string): string {
  const escaped = name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
  return `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${escaped}"\r\ncontent-type: application/octet-stream\r\n\r\n`
}

function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
