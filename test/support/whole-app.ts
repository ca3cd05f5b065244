import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '../../src/http/app.ts'
import { Closing } from '../../src/main/closing.ts'
import { composeService } from '../../src/main/compose.ts'
import { readConfig } from '../../src/main/config.ts'
import { openGround } from '../../src/main/open-ground.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The service as it is served, composed by the same code, on a database and a folder of its own. */
export async function openWholeApp(onRoute?: AppDeps['onRoute']): Promise<FastifyInstance> {
  const folder = await makeTemporaryFolder()
  const database = await openTestDatabase()
  const config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: database.url })
  const log = createLogger({ level: 'silent' })
  const closing = new Closing(log)
  const onFatal = (error: unknown) => {
    throw error
  }
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal })
  const { app } = await composeService(ground, {}, onRoute)
  app.addHook('onClose', async () => {
    await closing.close()
    await database.close()
    await folder.remove()
  })
  return app
}
