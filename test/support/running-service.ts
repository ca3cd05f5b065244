import type { Kysely } from 'kysely'
import { Closing } from '../../src/main/closing.ts'
import { composeService, type Engines } from '../../src/main/compose.ts'
import { readConfig } from '../../src/main/config.ts'
import { listen } from '../../src/main/listen.ts'
import { openGround } from '../../src/main/open-ground.ts'
import { startChunks, startFiles } from '../../src/main/start-workers.ts'
import type { Database } from '../../src/platform/database/schema.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase } from './database.ts'
import { createInstantTranscriber, splitLines } from './instant-engine.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export type RunningService = {
  readonly origin: string
  readonly db: Kysely<Database>
  tokenOf(user: string): Promise<string>
  close(): Promise<void>
}

/** The service in this process, listening, with workers whose engine is the instant one. */
export async function runService(
  settings: Readonly<Record<string, string>> = {},
  engines: Engines = {},
): Promise<RunningService> {
  const folder = await makeTemporaryFolder()
  const database = await openTestDatabase()
  const config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: database.url, ...settings })
  const log = createLogger({ level: 'silent' })
  const closing = new Closing(log)
  const onFatal = (error: unknown) => {
    throw error
  }
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal })
  const { app, identity } = await composeService(ground, engines)
  startFiles(ground, splitLines)
  startChunks(ground, createInstantTranscriber())
  const origin = await listen(app, { host: '127.0.0.1', port: 0 })
  return {
    origin,
    db: database.db,
    tokenOf: async (user) => (await identity.localIssuer?.mint({ user, ttlSeconds: 3600 })) ?? '',
    async close() {
      // Clients that keep their connections open for the next request would be waited for.
      app.server.closeAllConnections()
      await app.close()
      await closing.close()
      await database.close()
      await folder.remove()
    },
  }
}
