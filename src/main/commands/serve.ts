import { parseArgs } from 'node:util'
import { createLogger } from '../../platform/log.ts'
import { Closing } from '../closing.ts'
import { readConfig } from '../config.ts'
import { type Life, live } from '../lifecycle.ts'
import { refuseTakenPort } from '../listen.ts'
import type { Command } from './command.ts'

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
    const start = async (life: Life) => {
      await refuseTakenPort({ host: config.HOST, port: config.PORT })
      // Loaded only now: help and wrong settings are answered without waiting for all of the service.
      const { startService } = await import('../start-service.ts')
      await startService({ config, log, closing, life, context })
    }
    return live(log, start, () => closing.close())
  },
}
