import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CRC32C } from '@google-cloud/storage'

type Stored = { readonly bytes: Buffer; readonly generation: string }
type Session = { readonly name: string; received: Buffer }

export type GcsStandIn = {
  readonly url: string
  readonly objects: ReadonlyMap<string, Stored>
  /** Flips a bit of the next object on its way in, as a bad cable would. */
  corruptNext(): void
  close(): Promise<void>
}

const PAGE = 100

/**
 * The part of Google Cloud Storage's JSON API that its client uses for us: resumable uploads in pieces, media
 * downloads with hashes, metadata, deletes and paged lists of one bucket, in memory.
 */
export async function startGcsStandIn(bucket: string): Promise<GcsStandIn> {
  const objects = new Map<string, Stored>()
  const sessions = new Map<string, Session>()
  let corrupting = false
  let url = ''

  const finish = (name: string, bytes: Buffer): Stored => {
    const kept = Buffer.from(bytes)
    if (corrupting && kept.length > 0) kept[0] = (kept[0] ?? 0) ^ 1
    corrupting = false
    const stored = { bytes: kept, generation: String(Date.now()) }
    objects.set(name, stored)
    return stored
  }

  const startSession = (request: URL, response: ServerResponse): void => {
    const id = randomUUID()
    sessions.set(id, { name: request.searchParams.get('name') ?? '', received: Buffer.alloc(0) })
    response.writeHead(200, { location: `${url}/session/${id}` }).end()
  }

  const takePiece = async (id: string, message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const session = sessions.get(id)
    const body = await readBody(message)
    if (!session) return finishEmpty(response, 410)
    session.received = Buffer.concat([session.received, body])
    const total = /\/(\d+)$/.exec(message.headers['content-range'] ?? '')?.[1]
    if (total === undefined || session.received.length < Number(total)) {
      const range = session.received.length ? { range: `bytes=0-${session.received.length - 1}` } : {}
      return finishEmpty(response, 308, range)
    }
    sessions.delete(id)
    sendJson(response, 200, metadata(bucket, session.name, finish(session.name, session.received)))
  }

  const list = (request: URL, response: ServerResponse): void => {
    const after = request.searchParams.get('pageToken') ?? ''
    const prefix = request.searchParams.get('prefix') ?? ''
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
    const page = names.slice(0, PAGE)
    const more = names.length > PAGE ? { nextPageToken: page.at(-1) } : {}
    const items = page.map((name) => ({ kind: 'storage#object', name, bucket }))
    sendJson(response, 200, { kind: 'storage#objects', items, ...more })
  }

  const answerObject = (
    name: string,
    { method, headers }: IncomingMessage,
    request: URL,
    response: ServerResponse,
  ): void => {
    const stored = objects.get(name)
    if (!stored) sendJson(response, 404, { error: { code: 404, message: 'No such object' } })
    else if (method === 'DELETE') finishEmpty(response, objects.delete(name) ? 204 : 404)
    else if (request.searchParams.get('alt') === 'media') sendMedia(response, stored.bytes, headers.range)
    else sendJson(response, 200, metadata(bucket, name, stored))
  }

  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = new URL(message.url ?? '/', url)
    const method = message.method ?? 'GET'
    const session = /^\/session\/(.+)$/.exec(request.pathname)?.[1]
    if (session && method === 'PUT') return takePiece(session, message, response)
    const path = request.pathname.replace(/^(\/upload)?\/storage\/v1/, '')
    const [, inBucket, object] = /^\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(path) ?? []
    if (inBucket !== bucket) return sendJson(response, 404, { error: { code: 404, message: 'No such bucket' } })
    if (method === 'POST' && request.searchParams.get('uploadType') === 'resumable') {
      await readBody(message)
      return startSession(request, response)
    }
    if (object === undefined) return list(request, response)
    return answerObject(decodeURIComponent(object), message, request, response)
  }

  const server = createServer((message, response) => {
    // A client that broke off has nobody to answer to.
    answer(message, response).catch(() => response.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A listening TCP server always has an address and port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    objects,
    corruptNext: () => {
      corrupting = true
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const metadata = (bucket: string, name: string, { bytes, generation }: Stored) => ({
  kind: 'storage#object',
  name,
  bucket,
  generation,
  size: String(bytes.length),
  crc32c: crc32cOf(bytes),
  md5Hash: md5Of(bytes),
})

function crc32cOf(bytes: Buffer): string {
  const sum = new CRC32C()
  sum.update(bytes)
  return sum.toString()
}

const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64')

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function sendMedia(response: ServerResponse, bytes: Buffer, range: string | undefined): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (first !== undefined && last !== undefined) {
    const part = bytes.subarray(Number(first), Number(last) + 1)
    response.writeHead(206, {
      'content-length': part.length,
      'content-range': `bytes ${first}-${last}/${bytes.length}`,
    })
    response.end(part)
    return
  }
  response.writeHead(200, {
    'content-length': bytes.length,
    'x-goog-hash': `crc32c=${crc32cOf(bytes)},md5=${md5Of(bytes)}`,
    'x-goog-stored-content-encoding': 'identity',
  })
  response.end(bytes)
}

function finishEmpty(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end()
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
