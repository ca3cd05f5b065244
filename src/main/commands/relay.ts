import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { openIdentity } from '../../platform/identity/open-identity.ts'
import { createLogger } from '../../platform/log.ts'
import { Closing } from '../closing.ts'
import { type Config, readConfig } from '../config.ts'
import { identityOf } from '../identity-of.ts'
import { type Life, live } from '../lifecycle.ts'
import { addressOf } from '../listen.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

export const relay: Command = {
  help: `lipik relay [--port N] [--host H]

Stands between browsers and a service, so that its key never reaches a browser. A visitor brings a token of your own issuer
(AUTH_JWKS_URL, AUTH_JWKS_FILE, or \`lipik token\` with the same DATA_DIR), as a bearer or where browsers put a key; the relay
brings RELAY_API_KEY to the service at RELAY_UPSTREAM and passes frames both ways. Put it behind TLS.

  --port N   port to listen on (default: PORT, 8080); 0 takes a free one
  --host H   address to listen on (default: HOST, 127.0.0.1)

Examples:
  RELAY_API_KEY=$(lipik keys create --user website) lipik relay --port 8081
  RELAY_UPSTREAM=wss://speech.example RELAY_ORIGINS=https://www.example lipik relay --host 0.0.0.0
`,

  async run(args, context) {
    const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' }, host: { type: 'string' } } })
    const { port = context.env.PORT, host = context.env.HOST } = values
    const config = readConfig({ ...context.env, PORT: port, HOST: host })
    if (!config.RELAY_API_KEY) throw new UsageError('RELAY_API_KEY must be set: `lipik keys create` makes a key')
    const log = createLogger({ level: config.LOG_LEVEL })
    const closing = new Closing(log)
    return live(
      log,
      (life) => start(config, closing, life, context),
      () => closing.close(),
    )
  },
}

async function start(config: Config, closing: Closing, life: Life, { print }: CommandContext): Promise<void> {
  const { Relay } = await import('../../realtime/relay.ts')
  const { verifyToken } = await openIdentity(identityOf(config))
  const log = createLogger({ level: config.LOG_LEVEL })
  const server = createServer((_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  const relayed = new Relay({
    upstream: config.RELAY_UPSTREAM.replace(/\/$/, ''),
    apiKey: config.RELAY_API_KEY ?? '',
    origins: config.RELAY_ORIGINS.split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    maxFrameBytes: config.REALTIME_MAX_FRAME_BYTES,
    verifyToken,
    log,
  })
  relayed.attach(server)
  server.listen(config.PORT, config.HOST)
  await once(server, 'listening')
  closing.add('server', async () => {
    server.close()
    server.closeAllConnections()
  })
  closing.add('relay', () => relayed.close())
  life.signal.throwIfAborted()
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.PORT
  print(`relay ready at ${addressOf({ host: config.HOST, port }).replace('http', 'ws')}/v1/realtime`)
}
