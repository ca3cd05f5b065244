import type { FastifyInstance } from 'fastify'
import { type AppDeps, createApp } from '../../src/http/app.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'

/** The real server without a port. The bearer token is the user's name: `authorization: 'Bearer asha'` is asha. */
export const openTestApp = (deps: Partial<AppDeps> = {}): Promise<FastifyInstance> =>
  createApp({
    log: createLogger({ level: 'silent' }),
    basePath: '',
    maxJsonBytes: 1_048_576,
    verifyToken: async (token) => token as UserId,
    openRoutes: [],
    userRoutes: [],
    ...deps,
  })
