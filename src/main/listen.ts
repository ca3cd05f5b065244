import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type Place = { readonly host: string; readonly port: number }

/** Takes the port and gives it back: what would fail after minutes of downloads is said at once. */
export async function refuseTakenPort(place: Place): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListen(error, place)))
    server.listen({ ...place, exclusive: true }, () => server.close(() => resolve()))
  })
}

export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  await app.listen(place).catch((error: NodeJS.ErrnoException) => {
    throw explainListen(error, place)
  })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : place.port
  return addressOf({ host: place.host, port })
}

/** The address people can open; a server on all interfaces is reached through loopback here. */
export function addressOf({ host, port }: Place): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function explainListen(error: NodeJS.ErrnoException, { host, port }: Place): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(`port ${port} on ${host} is taken: stop what uses it, or choose another with --port or PORT`)
  }
  if (error.code === 'EACCES') {
    return new Error(`port ${port} may not be used by this user: choose one above 1023 with --port or PORT`)
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Error(`this machine has no address ${host}: choose another with --host or HOST`)
  }
  return error
}
