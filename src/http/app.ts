import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  LogController,
  type onRouteHookHandler,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { bearerHook, callerHook, type VerifyCaller, type VerifyToken } from './auth.ts'
import { describeFailures } from './describe-failures.ts'
import { type Failure, NOT_FOUND, toFailure } from './errors.ts'
import { answerMalformed } from './malformed-request.ts'
import { registerOpenApi } from './openapi.ts'
import { openApiRoutes } from './openapi-routes.ts'
import { requestId } from './request-id.ts'

export type AppDeps = {
  readonly log: FastifyBaseLogger
  /** '' or '/prefix': everything the server has lies under it. */
  readonly basePath: string
  /** Largest JSON body; multipart routes bring their own limits. */
  readonly maxJsonBytes: number
  readonly verifyToken: VerifyToken
  /** Answer anybody: health, metrics, keys, the description. */
  readonly openRoutes: readonly FastifyPluginAsync[]
  /** Answer only a bearer of a valid token; `request.userId` is set in them. */
  readonly userRoutes: readonly FastifyPluginAsync[]
  /** The same for a bearer of an API key; `request.caller` is set in them. */
  readonly keyRoutes?: readonly FastifyPluginAsync[]
  readonly verifyCaller?: VerifyCaller
  /** Told of every finished request; the route is its pattern, never the address with its ids. */
  readonly onResponse?: (seen: SeenRequest) => void
  /** Told of every route as it is added. */
  readonly onRoute?: onRouteHookHandler | undefined
}

export type SeenRequest = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** Builds the server without listening: tests inject requests, `serve` gives it a port. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = newServer(deps)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setNotFoundHandler((_request, reply) => send(reply, NOT_FOUND))
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error)
    if (failure.status >= 500) request.log.error({ error }, 'request failed')
    return send(reply, failure)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  watchResponses(app, deps)
  app.decorateRequest('userId')
  app.decorateRequest('caller')
  if (deps.onRoute) app.addHook('onRoute', deps.onRoute)
  await registerOpenApi(app, deps.basePath)
  await app.register(async (base) => registerRoutes(base, deps), { prefix: deps.basePath })
  return app
}

function newServer({ log, maxJsonBytes }: AppDeps): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: requestId,
    bodyLimit: maxJsonBytes,
    // HEAD on a download would run the whole export: a route that wants HEAD says so.
    exposeHeadRoutes: false,
    // While stopping, a request on an open connection is still answered: draining means finishing, not refusing.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      send(reply, toFailure(error))
    },
  })
}

async function registerRoutes(base: FastifyInstance, deps: AppDeps): Promise<void> {
  await base.register(async (open) => {
    open.addHook('onRoute', describeFailures({ needsToken: false }))
    for (const routes of [openApiRoutes(), ...deps.openRoutes]) await open.register(routes)
  })
  await base.register(async (users) => {
    users.addHook('onRoute', describeFailures({ needsToken: true }))
    users.addHook('onRequest', bearerHook(deps.verifyToken))
    for (const routes of deps.userRoutes) await users.register(routes)
  })
  const { verifyCaller, keyRoutes = [] } = deps
  if (!verifyCaller) return
  await base.register(async (bearers) => {
    bearers.addHook('onRoute', describeFailures({ needsToken: true }))
    bearers.addHook('onRequest', callerHook(verifyCaller))
    for (const routes of keyRoutes) await bearers.register(routes)
  })
}

function watchResponses(app: FastifyInstance, { onResponse }: AppDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const seen = { method: request.method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 }
    request.log.info(seen, 'request answered')
    onResponse?.(seen)
  })
}

const send = (reply: FastifyReply, { status, headers, body }: Failure) =>
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
