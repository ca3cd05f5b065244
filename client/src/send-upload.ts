import { broken, type Connection } from './connection.ts'
import { toApiError } from './failures.ts'
import { toMultipart } from './multipart-body.ts'
import type { UploadSource } from './upload-source.ts'

export type SendRequest = {
  readonly connection: Connection
  readonly files: readonly UploadSource[]
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
  readonly onSent: (bytes: number) => void
}

const PATH = '/files/upload'

/** The slice of XMLHttpRequest used here; types of Node.js do not have it. */
type FormRequest = {
  readonly upload: { onprogress: ((event: { readonly loaded: number; readonly total: number }) => void) | null }
  readonly status: number
  readonly responseText: string
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  onloadend: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(form: FormData): void
  abort(): void
}
type FormRequestClass = new () => FormRequest

/** One attempt. A browser tells how far a form has gone only through XMLHttpRequest; elsewhere the body is counted as it is read. */
export async function sendUpload(request: SendRequest): Promise<string> {
  const { XMLHttpRequest: Browser } = globalThis as { readonly XMLHttpRequest?: FormRequestClass }
  const { status, text, header } = Browser ? await sendForm(request, Browser) : await sendStream(request)
  if (status < 200 || status >= 300) throw toApiError({ status, text, header })
  return text
}

type Answer = { readonly status: number; readonly text: string; header(name: string): string | null }

async function sendStream({ connection, files, headers, signal, onSent }: SendRequest): Promise<Answer> {
  const body = toMultipart(files, `lipik-${crypto.randomUUID()}`)
  const request = {
    method: 'POST',
    headers: {
      ...headers,
      ...(await connection.authorization()),
      'content-type': body.contentType,
      'content-length': String(body.size),
    },
    body: body.stream(onSent),
    // Required for a body that is a stream (WHATWG fetch); the types do not know it everywhere.
    duplex: 'half' as const,
    ...(signal && { signal }),
  }
  try {
    const response = await connection.fetch(connection.address(PATH), request)
    return { status: response.status, text: await response.text(), header: (name) => response.headers.get(name) }
  } catch (error) {
    throw broken(PATH, error, signal)
  }
}

async function sendForm(
  { connection, files, headers, signal, onSent }: SendRequest,
  Browser: FormRequestClass,
): Promise<Answer> {
  const form = new FormData()
  for (const { name, blob } of files) if (blob) form.append('files', blob, name)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const given = { ...headers, ...(await connection.authorization()) }
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new Browser()
    const stop = () => request.abort()
    const fail = (why: string) => () => reject(broken(PATH, new Error(why), signal))
    request.open('POST', connection.address(PATH))
    for (const [name, value] of Object.entries(given)) request.setRequestHeader(name, value)
    // What the browser counts includes the form around the files.
    request.upload.onprogress = ({ loaded, total: all }) => onSent(all > 0 ? Math.round((loaded / all) * total) : 0)
    request.onload = () =>
      resolve({ status: request.status, text: request.responseText, header: (name) => request.getResponseHeader(name) })
    request.onerror = fail('the connection failed')
    request.onabort = fail('the upload was broken off')
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    signal?.addEventListener('abort', stop, { once: true })
    request.send(form)
  })
}
