import type { FastifyInstance } from 'fastify'
import { Counter, Registry } from 'prom-client'
import { afterEach, describe, expect, it } from 'vitest'
import { type HealthDeps, healthRoutes } from '../../src/http/health-routes.ts'
import { openTestApp } from '../support/test-app.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

const open = async (deps: Partial<HealthDeps> = {}) => {
  app = await openTestApp({
    openRoutes: [healthRoutes({ checks: {}, metrics: new Registry(), timeoutMs: 50, ...deps })],
  })
  return app
}

const fine = async () => {}
const broken = async () => {
  throw new Error('connect to 10.0.0.7 as admin failed')
}

describe('health', () => {
  it('is live without a token, to GET and HEAD', async () => {
    const server = await open({ checks: { database: broken } })
    expect((await server.inject('/health/live')).json()).toEqual({ status: 'live' })
    expect((await server.inject({ method: 'HEAD', url: '/health/live' })).statusCode).toBe(200)
  })

  it('is ready when every part works', async () => {
    const response = await (await open({ checks: { database: fine, storage: fine } })).inject('/health/ready')
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', storage: 'ok' } },
    ])
  })

  it('is not ready when a part fails or does not answer, and does not say why', async () => {
    const silent = () => new Promise<void>(() => {})
    const server = await open({ checks: { database: fine, storage: broken, model: silent } })
    const response = await server.inject('/health/ready')
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { status: 'not_ready', checks: { database: 'ok', storage: 'failed', model: 'failed' } },
    ])
    expect(response.body).not.toContain('10.0.0.7')
    expect(response.headers['retry-after']).toBe('5')
  })

  it('counts a part that throws at once as failed', async () => {
    const throws = () => {
      throw new Error('not even a promise')
    }
    const response = await (await open({ checks: { queue: throws } })).inject('/health/ready')
    expect(response.statusCode).toBe(503)
  })
})

describe('metrics', () => {
  it('are given in the form Prometheus reads', async () => {
    const metrics = new Registry()
    new Counter({ name: 'lipik_test_total', help: 'test', registers: [metrics] }).inc(3)
    const response = await (await open({ metrics })).inject('/metrics')
    expect(response.headers['content-type']).toContain('text/plain')
    expect(response.body).toContain('lipik_test_total 3')
  })
})
