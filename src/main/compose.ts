import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type AppDeps, createApp } from '../http/app.ts'
import { audioRoutes } from '../http/audio-routes.ts'
import { batchRoutes } from '../http/batch-routes.ts'
import { filesRoutes } from '../http/files-routes.ts'
import { healthRoutes, type ReadinessCheck } from '../http/health-routes.ts'
import { jwksRoutes } from '../http/jwks-routes.ts'
import { openAiRoutes } from '../http/openai-routes.ts'
import { realtimeAddress, realtimeRoutes } from '../http/realtime-routes.ts'
import { resultsRoutes } from '../http/results-routes.ts'
import { speechRoutes } from '../http/speech-routes.ts'
import { pingDatabase } from '../platform/database/database.ts'
import { createCallerVerifier } from '../platform/identity/api-keys.ts'
import { type Identity, openIdentity } from '../platform/identity/open-identity.ts'
import { observeProcess } from '../platform/metrics.ts'
import { pingQueue } from '../platform/queue/ping-queue.ts'
import type { Door } from '../realtime/door.ts'
import type { LanguageModel } from '../speech/language-model.ts'
import { identityOf } from './identity-of.ts'
import { createModelCheck } from './model-check.ts'
import { openBatches, submitOf } from './open-batches.ts'
import { openConsole } from './open-console.ts'
import { openFiles } from './open-files.ts'
import type { Ground } from './open-ground.ts'
import { openRealtime, type Realtime } from './open-realtime.ts'
import type { Speaking } from './open-speaking.ts'
import type { Speech } from './open-speech.ts'

const READINESS_TIMEOUT_MS = 3_000

/** Without speech, workers elsewhere recognise; without speaking, there are no voices; without thinking, no conversation. */
export type Engines = {
  readonly speech?: Speech | undefined
  readonly speaking?: Speaking | undefined
  readonly thinking?: LanguageModel | undefined
}
export type Service = {
  readonly app: FastifyInstance
  readonly identity: Identity
  /** Where voice sessions come in; absent: they are not served here. */
  readonly door: Door | undefined
}

/** Puts the rooms of the service together on its ground. The server is built, not yet listening. */
export async function composeService(
  ground: Ground,
  engines: Engines = {},
  onRoute?: AppDeps['onRoute'],
): Promise<Service> {
  const { speech, speaking } = engines
  const { config, log, metrics } = ground
  const identity = await openIdentity(identityOf(config))
  observeProcess(metrics.registry)

  const checks: Record<string, ReadinessCheck> = {
    database: () => pingDatabase(ground.database.db),
    storage: () => ground.blobs.check(),
    queue: () => pingQueue(ground.database.db),
    ...(speech && { model: createModelCheck(speech.transcriber, config.ASR_LANGUAGES) }),
  }
  const batches = openBatches(ground)
  const files = await openFiles(ground)
  const userRoutes: FastifyPluginAsync[] = [
    filesRoutes(files),
    audioRoutes(files),
    batchRoutes({ batches, languages: config.ASR_LANGUAGES }),
    resultsRoutes(batches),
  ]
  const transcribing = {
    db: ground.database.db,
    blobs: ground.blobs,
    submit: submitOf(config),
    maxFileBytes: config.MAX_FILE_BYTES,
    languages: config.ASR_LANGUAGES,
  }
  const verifyCaller = createCallerVerifier(ground.database.db, identity.verifyToken)
  const realtime = serveRealtime(ground, engines, verifyCaller)
  const openRoutes: FastifyPluginAsync[] = [
    healthRoutes({ checks, metrics: metrics.registry, timeoutMs: READINESS_TIMEOUT_MS }),
    realtimeAddress(),
  ]
  openRoutes.push(...(await openConsole(config, log)))
  if (identity.localIssuer) openRoutes.push(jwksRoutes(identity.localIssuer.publicKeys))

  const app = await createApp({
    log,
    basePath: config.BASE_PATH,
    maxJsonBytes: config.MAX_JSON_BYTES,
    verifyToken: identity.verifyToken,
    openRoutes,
    userRoutes,
    verifyCaller,
    keyRoutes: [openAiRoutes(transcribing), speechRoutes(speaking), realtimeRoutes(realtime?.routes)],
    onRoute,
    onResponse: ({ method, route, status, seconds }) =>
      metrics.httpRequestSeconds.observe({ method, route, status: String(status) }, seconds),
  })
  realtime?.door.attach(app.server)
  return { app, identity, door: realtime?.door }
}

function serveRealtime(
  ground: Ground,
  { speech, speaking, thinking }: Engines,
  verifyCaller: ReturnType<typeof createCallerVerifier>,
): Realtime | undefined {
  if (!ground.config.REALTIME_ENABLED || !speech || !speaking || !thinking) return undefined
  const { transcriber, detector } = speech
  return openRealtime(
    ground,
    { transcriber, detector, synthesizer: speaking.synthesizer, model: thinking },
    verifyCaller,
  )
}
