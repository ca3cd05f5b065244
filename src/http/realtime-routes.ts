import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LipikError } from '../platform/errors.ts'
import type { Caller } from '../platform/identity/api-keys.ts'
import { answerAsOpenAi, OPENAI_FAILURES } from './openai-failure.ts'

export type RealtimeRoutesDeps = {
  readonly createBetaSession: (caller: Caller, body: unknown) => Promise<object>
  readonly createClientSecret: (caller: Caller, body: unknown) => Promise<object>
}

const SECRET = z.object({ value: z.string(), expires_at: z.int() })
const EXPIRES_AFTER = z.object({ anchor: z.literal('created_at'), seconds: z.int().min(10).max(7_200) }).partial()

const SESSIONS_BODY = z
  .looseObject({ client_secret: z.object({ expires_after: EXPIRES_AFTER }).partial() })
  .partial()
  .describe('Members of a session in the beta form; see docs/realtime.md.')
const SECRETS_BODY = z
  .object({ expires_after: EXPIRES_AFTER, session: z.looseObject({ type: z.literal('realtime') }) })
  .partial()

/** Tokens with which a browser may begin realtime sessions, instead of with a key. */
export const realtimeRoutes =
  (deps: RealtimeRoutesDeps | undefined): FastifyPluginAsync =>
  async (app) => {
    answerAsOpenAi(app)
    const routes = app.withTypeProvider<ZodTypeProvider>()
    // The body is judged by the protocol's own rules, which name codes and paths; its schema is for the description.
    const validatorCompiler = () => (value: unknown) => ({ value })
    routes.route({
      method: 'POST',
      url: '/v1/realtime/sessions',
      schema: {
        operationId: 'createRealtimeSession',
        summary: 'Make an ephemeral token and the realtime session it begins, in the beta form',
        tags: ['realtime'],
        body: SESSIONS_BODY,
        response: { 200: z.looseObject({ id: z.string(), client_secret: SECRET }), ...OPENAI_FAILURES },
      },
      validatorCompiler,
      // The schema says what it looks like; every member of the session goes out.
      serializerCompiler: () => (data) => JSON.stringify(data),
      handler: async ({ caller, body }, reply) =>
        reply.send((await open(deps).createBetaSession(caller, body)) as never),
    })
    routes.route({
      method: 'POST',
      url: '/v1/realtime/client_secrets',
      schema: {
        operationId: 'createRealtimeClientSecret',
        summary: 'Make an ephemeral token that begins realtime sessions',
        tags: ['realtime'],
        body: SECRETS_BODY,
        response: { 200: SECRET.extend({ session: z.looseObject({ id: z.string() }) }), ...OPENAI_FAILURES },
      },
      validatorCompiler,
      serializerCompiler: () => (data) => JSON.stringify(data),
      handler: async ({ caller, body }, reply) =>
        reply.send((await open(deps).createClientSecret(caller, body)) as never),
    })
  }

function open(deps: RealtimeRoutesDeps | undefined): RealtimeRoutesDeps {
  if (!deps) throw new LipikError('unavailable', 'this server serves no realtime sessions')
  return deps
}

/** The address of the WebSocket, for who comes with plain HTTP. */
export const realtimeAddress = (): FastifyPluginAsync => async (app) => {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/v1/realtime',
    schema: {
      operationId: 'openRealtime',
      summary: 'Open a realtime session: a WebSocket, see docs/realtime.md',
      tags: ['realtime'],
      querystring: z.object({ model: z.string().optional() }),
      response: {
        101: z.null().describe('The session begins; `session.created` is its first frame.'),
        426: z.object({ detail: z.string() }).describe('Not an upgrade to a WebSocket.'),
      },
    },
    handler: async (_request, reply) =>
      reply
        .code(426)
        .headers({ upgrade: 'websocket', connection: 'upgrade' })
        .send({ detail: 'connect with a WebSocket' }),
  })
}
