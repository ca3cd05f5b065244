import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import { z } from 'zod'

/** Resolves when the part works now; why it does not stays in the log, because anybody may ask. */
export type ReadinessCheck = () => Promise<void>

export type HealthDeps = {
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  readonly metrics: Registry
  /** A part that does not answer in this time counts as failed. */
  readonly timeoutMs: number
}

const READINESS = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])),
})

/** For probes and scrapers: no token, and nothing of any user. */
export const healthRoutes =
  ({ checks, metrics, timeoutMs }: HealthDeps): FastifyPluginAsync =>
  async (app) => {
    const typed = app.withTypeProvider<ZodTypeProvider>()
    typed.route({
      method: 'GET',
      url: '/health/live',
      exposeHeadRoute: true,
      schema: {
        operationId: 'getLiveness',
        summary: 'Whether the process answers',
        tags: ['service'],
        response: { 200: z.object({ status: z.literal('live') }) },
      },
      handler: async () => ({ status: 'live' }) as const,
    })
    typed.route({
      method: 'GET',
      url: '/health/ready',
      exposeHeadRoute: true,
      schema: {
        operationId: 'getReadiness',
        summary: 'Whether database, storage, queue and model can be used',
        tags: ['service'],
        response: {
          200: READINESS.describe('Everything works.'),
          503: READINESS.describe('At least one part does not.'),
        },
      },
      handler: async (request, reply) => {
        const failed = await failedChecks(checks, timeoutMs)
        for (const [check, error] of failed) request.log.warn({ check, error }, 'readiness check failed')
        const states = Object.keys(checks).map((name) => [name, failed.has(name) ? 'failed' : 'ok'] as const)
        reply.code(failed.size === 0 ? 200 : 503).header('cache-control', 'no-store')
        if (failed.size > 0) reply.header('retry-after', '5')
        return { status: failed.size === 0 ? 'ready' : 'not_ready', checks: Object.fromEntries(states) } as const
      },
    })
    app.route({
      method: 'GET',
      url: '/metrics',
      schema: {
        operationId: 'getMetrics',
        summary: 'Figures for Prometheus',
        tags: ['service'],
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
      handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()),
    })
  }

async function failedChecks(checks: HealthDeps['checks'], timeoutMs: number): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>()
  const run = async ([name, check]: [string, ReadinessCheck]) => {
    await inTime(Promise.resolve().then(check), timeoutMs).catch((error: unknown) => failed.set(name, error))
  }
  await Promise.all(Object.entries(checks).map(run))
  return failed
}

async function inTime(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
