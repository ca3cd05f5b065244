import type { FastifyInstance } from 'fastify'
import type { Logger } from '../platform/log.ts'
import type { Closing } from './closing.ts'
import type { CommandContext } from './commands/command.ts'
import { composeService } from './compose.ts'
import type { Config } from './config.ts'
import { fetchModels } from './fetch-models.ts'
import type { Life } from './lifecycle.ts'
import { listen } from './listen.ts'
import { openGround } from './open-ground.ts'
import { welcome } from './welcome.ts'

/** A request that takes longer than this to end is cut when the service stops. */
const DRAIN_MS = 4_000

type Start = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  readonly life: Life
  readonly context: CommandContext
}

/** Everything the service has, from the ground up; what is opened is handed to `closing` at once. */
export async function startService({ config, log, closing, life, context }: Start): Promise<void> {
  const place = { host: config.HOST, port: config.PORT }
  await fetchModels({ config, env: context.env, note: context.note, signal: life.signal })
  life.signal.throwIfAborted()
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal: life.fail })
  life.signal.throwIfAborted()
  const { app, identity } = await composeService(ground)
  closing.add('requests', () => drain(app))
  life.signal.throwIfAborted()
  const origin = await listen(app, place)
  log.info({ origin }, 'ready')
  context.print(await welcome({ baseUrl: origin + config.BASE_PATH, identity }))
}

/** Closing refuses new connections and waits for the requests that are under way; only so long, though. */
async function drain(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close().finally(() => clearTimeout(late))
}
