import { readdirSync, readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openWholeApp } from '../support/whole-app.ts'

const OPERATION = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.looseObject({})).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ description: z.string(), headers: z.record(z.string(), z.unknown()) }),
  ),
})
const DOCUMENT = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), OPERATION)),
})
type Document = z.infer<typeof DOCUMENT>

let app: FastifyInstance
let document: Document
/** `GET /files/{id}` for every route that answers. */
const routes: string[] = []

beforeAll(async () => {
  app = await openWholeApp((route) => {
    // The console's page and files are no part of the interface.
    if (route.schema?.hide) return
    const methods = [route.method].flat().filter((method) => method !== 'HEAD')
    routes.push(...methods.map((method) => `${method} ${route.url.replace(/:(\w+)/g, '{$1}')}`))
  })
  document = DOCUMENT.parse((await app.inject('/openapi.json')).json())
})
afterAll(() => app.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )

describe('the description', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
  })

  it('has every route that answers, and no other', () => {
    expect(routes.length).toBeGreaterThan(8)
    expect(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(routes.toSorted())
  })

  it('gives every operation a name of its own', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids).toEqual([...new Set(ids)])
  })

  it('says of every response that it carries the request id', () => {
    const without = operations().flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { headers }]) => !('x-request-id' in headers))
        .map(([status]) => `${name} ${status}`),
    )
    expect(without).toEqual([])
  })

  it('names every header that a route sets', () => {
    const folder = new URL('../../src/http/', import.meta.url)
    const sources = readdirSync(folder).filter((name) => name.endsWith('-routes.ts'))
    const set = sources.flatMap((name) =>
      [...readFileSync(new URL(name, folder), 'utf8').matchAll(/\.header\('([\w-]+)'/g)].map(([, header]) => header),
    )
    const named = operations().flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ headers }) => Object.keys(headers)),
    )
    expect(set).toContain('content-disposition')
    // Of the connection, not of the interface.
    expect(set.filter((header) => header !== 'connection' && !named.includes(header ?? ''))).toEqual([])
  })

  it('asks for a token exactly where the server does', async () => {
    for (const { name, operation } of operations()) {
      const [method, path = ''] = name.split(' ')
      const url = path.replace(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000')
      // The list of methods is the router's own.
      const response = await app.inject({ method: method as 'GET', url })
      expect([name, response.statusCode === 401]).toEqual([name, operation.security !== undefined])
      expect([name, '401' in operation.responses]).toEqual([name, operation.security !== undefined])
    }
  })

  it('names a success and a failure of every operation', () => {
    for (const { name, operation } of operations()) {
      const statuses = Object.keys(operation.responses)
      expect([
        name,
        statuses.some((status) => status.startsWith('2') || status === '101'),
        statuses.includes('500'),
      ]).toEqual([name, true, true])
    }
  })
})
