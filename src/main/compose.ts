import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type AppDeps, createApp } from '../http/app.ts'
import { audioRoutes } from '../http/audio-routes.ts'
import { batchRoutes } from '../http/batch-routes.ts'
import { filesRoutes } from '../http/files-routes.ts'
import { healthRoutes, type ReadinessCheck } from '../http/health-routes.ts'
import { jwksRoutes } from '../http/jwks-routes.ts'
import { openAiRoutes } from '../http/openai-routes.ts'
import { resultsRoutes } from '../http/results-routes.ts'
import { speechRoutes } from '../http/speech-routes.ts'
import { pingDatabase } from '../platform/database/database.ts'
import { type Identity, openIdentity } from '../platform/identity/open-identity.ts'
import { observeProcess } from '../platform/metrics.ts'
import { pingQueue } from '../platform/queue/ping-queue.ts'
import { identityOf } from './identity-of.ts'
import { createModelCheck } from './model-check.ts'
import { openBatches, submitOf } from './open-batches.ts'
import { openFiles } from './open-files.ts'
import type { Ground } from './open-ground.ts'
import type { Speaking } from './open-speaking.ts'
import type { Speech } from './open-speech.ts'

const READINESS_TIMEOUT_MS = 3_000

/** Without speech, workers elsewhere recognise; without speaking, there are no voices. */
export type Engines = { readonly speech?: Speech | undefined; readonly speaking?: Speaking | undefined }
export type Service = { readonly app: FastifyInstance; readonly identity: Identity }

/** Puts the rooms of the service together on its ground. The server is built, not yet listening. */
export async function composeService(
  ground: Ground,
  { speech, speaking }: Engines = {},
  onRoute?: AppDeps['onRoute'],
): Promise<Service> {
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
    openAiRoutes({
      db: ground.database.db,
      blobs: ground.blobs,
      submit: submitOf(config),
      maxFileBytes: config.MAX_FILE_BYTES,
      languages: config.ASR_LANGUAGES,
    }),
    speechRoutes(speaking),
  ]
  const openRoutes = [healthRoutes({ checks, metrics: metrics.registry, timeoutMs: READINESS_TIMEOUT_MS })]
  if (identity.localIssuer) openRoutes.push(jwksRoutes(identity.localIssuer.publicKeys))

  const app = await createApp({
    log,
    basePath: config.BASE_PATH,
    maxJsonBytes: config.MAX_JSON_BYTES,
    verifyToken: identity.verifyToken,
    openRoutes,
    userRoutes,
    onRoute,
    onResponse: ({ method, route, status, seconds }) =>
      metrics.httpRequestSeconds.observe({ method, route, status: String(status) }, seconds),
  })
  return { app, identity }
}
