export type ServerSentEvent = { readonly event: string; readonly data: string }

/** Events of a stream (WHATWG HTML, section 9.2); comments and fields we do not use are passed over. */
export async function* toEvents(lines: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let event = 'message'
  let data: string[] = []
  for await (const line of lines) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') }
      event = 'message'
      data = []
      continue
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
}
