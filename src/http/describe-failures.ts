import type { FastifySchema, onRouteHookHandler } from 'fastify'
import { type FailureStatus, failures } from './failures.ts'

const USER_FAILURES: readonly FailureStatus[] = [401, 503]

/** Every route can fail in the ways of its kind; writing them at each route would be forgotten at one. */
export const describeFailures =
  ({ needsToken }: { needsToken: boolean }): onRouteHookHandler =>
  (route) => {
    const schema: FastifySchema = route.schema ?? {}
    const takesInput = Boolean(schema.params ?? schema.querystring ?? schema.body ?? schema.headers)
    const common = failures(500, ...(needsToken ? USER_FAILURES : []), ...(takesInput ? ([400] as const) : []))
    const own = typeof schema.response === 'object' ? schema.response : {}
    route.schema = { ...schema, ...(needsToken && { security: [{ bearer: [] }] }), response: { ...common, ...own } }
  }
