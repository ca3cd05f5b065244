import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { createLogger, type Logger } from '../../platform/log.ts'
import { Closing } from '../closing.ts'
import { composeService } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import { fetchModels } from '../fetch-models.ts'
import { type Life, live } from '../lifecycle.ts'
import { listen, refuseTakenPort } from '../listen.ts'
import { openGround } from '../open-ground.ts'
import { welcome } from '../welcome.ts'
import type { Command, CommandContext } from './command.ts'

/** A request that takes longer than this to end is cut when the service stops. */
const DRAIN_MS = 4_000

export const serve: Command = {
  help: `lipik serve [--port N] [--host H]

Runs the service: fetches missing models, starts PostgreSQL, the workers and the server, and prints its address, a token
and a line to try it with. Ctrl-C or SIGTERM stops it in order within ten seconds; a second one stops it at once.

  --port N   port to listen on (default: PORT, 8080); 0 takes a free one
  --host H   address to listen on (default: HOST, 127.0.0.1)

Examples:
  lipik serve
  lipik serve --port 9000
  HOST=0.0.0.0 DATABASE_URL=postgresql://lipik@db/lipik STORAGE_URL=s3://audio lipik serve
`,

  async run(args, context) {
    const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' }, host: { type: 'string' } } })
    const { port = context.env.PORT, host = context.env.HOST } = values
    const config = readConfig({ ...context.env, PORT: port, HOST: host })
    const log = createLogger({ level: config.LOG_LEVEL })
    const closing = new Closing(log)
    const start = (life: Life) => startService({ config, log, closing, life, context })
    return live(log, start, () => closing.close())
  },
}

type Start = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  readonly life: Life
  readonly context: CommandContext
}

async function startService({ config, log, closing, life, context }: Start): Promise<void> {
  const place = { host: config.HOST, port: config.PORT }
  await refuseTakenPort(place)
  await fetchModels({ config, env: context.env, note: context.note, signal: life.signal })
  life.signal.throwIfAborted()
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal: life.fail })
  life.signal.throwIfAborted()
  const { app, identity } = await composeService(ground)
  closing.add('requests', () => drain(app))
  life.signal.throwIfAborted()
  const origin = await listen(app, place)
  log.info({ origin }, 'ready')
  context.print(await welcome({ baseUrl: origin + config.BASE_PATH, dataDir: config.DATA_DIR, identity }))
}

/** Closing refuses new connections and waits for the requests that are under way; only so long, though. */
async function drain(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close().finally(() => clearTimeout(late))
}
