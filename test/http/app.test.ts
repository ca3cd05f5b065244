import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppDeps } from '../../src/http/app.ts'
import { LipikError } from '../../src/platform/errors.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestApp } from '../support/test-app.ts'

const things: FastifyPluginAsync = async (app) => {
  const typed = app.withTypeProvider<ZodTypeProvider>()
  typed.route({
    method: 'GET',
    url: '/things',
    schema: { querystring: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }) },
    handler: async ({ query, userId }) => ({ limit: query.limit, user: userId }),
  })
  typed.route({
    method: 'POST',
    url: '/things',
    schema: { body: z.object({ ids: z.array(z.object({ id: z.string() })).min(1) }) },
    handler: async () => ({}),
  })
  app.get('/broken', async () => {
    throw new Error('secret path /etc/shadow')
  })
  app.get('/full', async () => {
    throw new LipikError('queue_full', 'the queue is full', { details: { retry_after_seconds: 12.2 } })
  })
}

let app: FastifyInstance | undefined
const open = async (deps: Partial<AppDeps> = {}) => {
  app = await openTestApp({ userRoutes: [things], ...deps })
  return app
}
afterEach(() => app?.close())

const ASHA = { authorization: 'Bearer asha' }

describe('the app', () => {
  it('answers an unknown route with 404 and a request id', async () => {
    const response = await (await open()).inject('/nowhere')
    expect([response.statusCode, response.json()]).toEqual([404, { detail: 'not found' }])
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(['req-7', 'a'.repeat(128), '00-4bf92f:3577/b34+=.x'])('keeps a sane request id: %s', async (id) => {
    const response = await (await open()).inject({ url: '/openapi.json', headers: { 'x-request-id': id } })
    expect(response.headers['x-request-id']).toBe(id)
  })

  it.each(['', 'two words', 'a'.repeat(129), '<script>'])('replaces a request id that is not: %s', async (id) => {
    const response = await (await open()).inject({ url: '/openapi.json', headers: { 'x-request-id': id } })
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(['0', '201', 'abc', '1.5', ''])('names the field of a bad query: limit=%s', async (limit) => {
    const response = await (await open()).inject({ url: `/things?limit=${limit}`, headers: ASHA })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail.errors).toEqual([{ path: 'limit', message: expect.any(String) }])
    expect(response.headers['x-request-id']).toBeDefined()
  })

  it('names a field deep in a body with dots', async () => {
    const server = await open()
    const response = await server.inject({
      method: 'POST',
      url: '/things',
      headers: ASHA,
      payload: { ids: [{ id: 3 }] },
    })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail.errors[0].path).toBe('ids.0.id')
  })

  it.each([
    ['a body that is not JSON', 'application/json', '{"ids":'],
    ['an empty JSON body', 'application/json', ''],
    ['another media type', 'text/csv', 'a,b'],
    ['a poisoned prototype', 'application/json', '{"__proto__":{"x":1},"ids":[{"id":"a"}]}'],
  ])('answers %s with 400', async (_name, type, payload) => {
    const headers = { ...ASHA, 'content-type': type }
    const response = await (await open()).inject({ method: 'POST', url: '/things', headers, payload })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toMatchObject({ message: expect.any(String), errors: [{ path: '' }] })
  })

  it('refuses a body over the limit with 413', async () => {
    const server = await open({ maxJsonBytes: 100 })
    const payload = { ids: [{ id: 'x'.repeat(200) }] }
    const response = await server.inject({ method: 'POST', url: '/things', headers: ASHA, payload })
    expect([response.statusCode, response.json()]).toEqual([413, { detail: 'the request body is too large' }])
  })

  it('says nothing of its insides when something unexpected fails, and logs the cause with the id', async () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', stream: { write: (line: string) => lines.push(line) } })
    const response = await (await open({ log })).inject({
      url: '/broken',
      headers: { ...ASHA, 'x-request-id': 'find-me' },
    })
    expect([response.statusCode, response.json()]).toEqual([500, { detail: 'internal error' }])
    expect(lines.find((line) => line.includes('/etc/shadow'))).toContain('"requestId":"find-me"')
  })

  it('never logs the token or the query', async () => {
    const lines: string[] = []
    const log = createLogger({ level: 'trace', stream: { write: (line: string) => lines.push(line) } })
    const headers = { authorization: 'Bearer asha-secret' }
    await (await open({ log })).inject({ url: '/things?limit=3&token=query-secret', headers })
    expect(lines.join('')).toContain('request answered')
    expect(lines.join('')).not.toMatch(/asha-secret|query-secret/)
  })

  it('tells a caller when to come back', async () => {
    const response = await (await open()).inject({ url: '/full', headers: ASHA })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('13')
    expect(response.json().detail).toEqual({ message: 'the queue is full', retry_after_seconds: 12.2 })
  })

  it('lies under its base path, and nowhere else', async () => {
    const server = await open({ basePath: '/speech' })
    const status = async (url: string) => (await server.inject({ url, headers: ASHA })).statusCode
    expect(await Promise.all(['/speech/things', '/speech/openapi.json', '/things'].map(status))).toEqual([
      200, 200, 404,
    ])
  })

  it('counts by route pattern', async () => {
    const seen: unknown[] = []
    const server = await open({ onResponse: ({ method, route, status }) => seen.push({ method, route, status }) })
    await server.inject({ url: '/things?limit=0', headers: ASHA })
    expect(seen).toEqual([{ method: 'GET', route: '/things', status: 400 }])
  })

  it.each([
    ['bytes that are not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a header too long', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address that cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ])('answers %s in its own form', async (_name, bytes, status) => {
    const answer = await rawRequest(await open(), bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer).toMatch(/x-request-id: /i)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toHaveProperty('detail')
  })
})

describe('the bearer hook', () => {
  it.each([
    ['no header', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['a token with a comma', 'Bearer a,b'],
  ])('refuses %s with a challenge', async (_name, authorization) => {
    const response = await (await open()).inject({ url: '/things', headers: authorization ? { authorization } : {} })
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.json()).toEqual({ detail: expect.any(String) })
  })

  it('asks for the token before it looks at the request', async () => {
    const response = await (await open()).inject('/things?limit=0')
    expect(response.statusCode).toBe(401)
  })

  it.each(['Bearer asha', 'bearer asha', 'BEARER  asha'])('lets %s in', async (authorization) => {
    const response = await (await open()).inject({ url: '/things', headers: { authorization } })
    expect(response.json()).toEqual({ limit: 50, user: 'asha' })
  })
})

async function rawRequest(server: FastifyInstance, bytes: string): Promise<string> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  // Listening on a host gives an address object, never a pipe's name.
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}
