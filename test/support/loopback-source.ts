import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Served = { readonly path: string; readonly range: string | undefined; readonly sentBytes: number }

/** A registry and a hub in one, on this machine, with the faults of real ones. */
export type LoopbackSource = {
  readonly url: string
  readonly files: Map<string, Buffer>
  readonly requests: Served[]
  /** The next answer with a body breaks off after so many bytes. */
  breakNextAfter(bytes: number): void
  /** Answers with a body stop after so many bytes and wait, until released. */
  holdAfter(bytes: number): { readonly held: Promise<void>; release(): void }
  ignoreRanges(): void
  close(): Promise<void>
}

export async function openLoopbackSource(): Promise<LoopbackSource> {
  const files = new Map<string, Buffer>()
  const requests: Served[] = []
  let breakAfter: number | undefined
  let hold: { after: number; reached: () => void; released: Promise<void> } | undefined
  let knowsRanges = true

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url ?? '')
    const whole = files.get(path)
    if (!whole) {
      response.writeHead(404).end()
      return
    }
    const range = knowsRanges ? request.headers.range : undefined
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    if (start >= whole.length) {
      response.writeHead(416).end()
      return
    }
    const body = whole.subarray(start)
    const headers = {
      'content-length': body.length,
      'content-type': path.endsWith('z') ? 'application/x-tgz' : 'application/json',
    }
    if (range)
      response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${whole.length - 1}/${whole.length}` })
    else response.writeHead(200, headers)
    const cut = path.endsWith('z') || path.startsWith('/hub/') ? breakAfter : undefined
    if (cut !== undefined) breakAfter = undefined
    requests.push({ path, range: request.headers.range, sentBytes: Math.min(cut ?? body.length, body.length) })
    if (cut !== undefined) {
      response.write(body.subarray(0, cut), () => response.destroy())
      return
    }
    if (hold && path.endsWith('z')) {
      const { after, reached, released } = hold
      response.write(body.subarray(0, after), reached)
      await released
      response.end(body.subarray(after))
      return
    }
    response.end(body)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    requests,
    breakNextAfter(bytes) {
      breakAfter = bytes
    },
    holdAfter(bytes) {
      let release = () => {}
      let reached = () => {}
      const held = new Promise<void>((resolve) => {
        reached = resolve
      })
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      hold = { after: bytes, reached, released }
      return {
        held,
        release() {
          hold = undefined
          release()
        },
      }
    },
    ignoreRanges() {
      knowsRanges = false
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
