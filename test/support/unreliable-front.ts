import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to the next requests: lost on the way back, cut off after so many bytes of the answer, or refused. */
export type Mishap =
  | { readonly kind: 'lost' }
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string }

export type UnreliableFront = {
  readonly origin: string
  /** Requests that have come, as `GET /path`. */
  readonly seen: string[]
  next(...mishaps: Mishap[]): void
  close(): Promise<void>
}

/** Stands before a server and does to its clients what networks and proxies do. */
export async function openUnreliableFront(target: string): Promise<UnreliableFront> {
  const mishaps: Mishap[] = []
  const seen: string[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    serve(target, mishaps.shift(), incoming, outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server listening on an address and port has one.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    next: (...more) => void mishaps.push(...more),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function serve(target: string, mishap: Mishap | undefined, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (mishap?.kind === 'refused') {
    incoming.resume()
    incoming.once('end', () => {
      outgoing.writeHead(mishap.status, { 'retry-after': mishap.retryAfter }).end('busy')
    })
    return
  }
  const { method, headers, url } = incoming
  const onward = forward(target + url, { method, headers }, (answer) => {
    let left = mishap === undefined ? Number.POSITIVE_INFINITY : mishap.kind === 'cut' ? mishap.afterBytes : 0
    if (left > 0) outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.on('data', (piece: Buffer) => {
      if (mishap?.kind === 'lost') return
      outgoing.write(piece.subarray(0, left))
      left -= piece.length
      // What was written must be on its way before the line is cut.
      if (left <= 0) setTimeout(() => incoming.socket.destroy(), 50)
    })
    answer.on('end', () => {
      if (mishap?.kind === 'lost') incoming.socket.destroy()
      else if (left > 0) outgoing.end()
    })
    outgoing.on('close', () => answer.destroy())
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
