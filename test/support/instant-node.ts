import { Closing } from '../../src/main/closing.ts'
import { composeService } from '../../src/main/compose.ts'
import { readConfig } from '../../src/main/config.ts'
import { type Life, live } from '../../src/main/lifecycle.ts'
import { listen } from '../../src/main/listen.ts'
import { openGround } from '../../src/main/open-ground.ts'
import { startChunks, startFiles } from '../../src/main/start-workers.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createInstantTranscriber, splitLines } from './instant-engine.ts'

/** A process of the real service, as server, file worker or chunk worker, whose speech engine is the instant one. */
const role = process.argv[2]
const config = readConfig(process.env)
const log = createLogger({ level: config.LOG_LEVEL })
const closing = new Closing(log)

async function start(life: Life): Promise<void> {
  const ownsDatabase = role === 'server'
  const ground = await openGround({ config, log, closing, ownsDatabase, onFatal: life.fail })
  if (role === 'server') {
    const { app, identity } = await composeService(ground)
    closing.add('requests', async () => {
      app.server.closeAllConnections()
      await app.close()
    })
    const token = await identity.localIssuer?.mint({ user: 'asha', ttlSeconds: 86_400 })
    const origin = await listen(app, { host: config.HOST, port: config.PORT })
    console.log(JSON.stringify({ ready: role, origin, token, databaseUrl: ground.database.url }))
    return
  }
  if (role === 'file') startFiles(ground, splitLines)
  else startChunks(ground, createInstantTranscriber())
  console.log(JSON.stringify({ ready: role }))
}

process.exitCode = await live(log, start, () => closing.close())
