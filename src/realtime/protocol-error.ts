/** What a client did wrong, in the words of the protocol: it becomes one `error` event and leaves the session as it was. */
export class ProtocolError extends Error {
  readonly type: 'invalid_request_error' | 'server_error'
  readonly code: string
  /** Dotted path of the member at fault, such as `session.tools[0].name`. */
  readonly param: string | null

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { param?: string | null; type?: ProtocolError['type'] } = {},
  ) {
    super(message, options)
    this.name = 'ProtocolError'
    this.type = options.type ?? 'invalid_request_error'
    this.code = code
    this.param = options.param ?? null
  }
}
