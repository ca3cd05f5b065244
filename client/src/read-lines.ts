/** Lines of a body as they come, without their ends (`\n` or `\r\n`). A last line without an end is a line. */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const piece of body) {
    const lines = (held + decoder.decode(piece, { stream: true })).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  held += decoder.decode()
  if (held !== '') yield held
}

/** A body's pieces; its connection is let go when the reader leaves early. Not every browser can iterate over a stream itself. */
export async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let isWhole = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isWhole = done
      if (done) return
      yield value
    }
  } finally {
    if (!isWhole) await reader.cancel().catch(() => {})
  }
}
