import type { FastifyInstance } from 'fastify'
import type { Logger } from '../platform/log.ts'
import type { Closing } from './closing.ts'
import type { CommandContext } from './commands/command.ts'
import { composeService } from './compose.ts'
import type { Config } from './config.ts'
import type { Life } from './lifecycle.ts'
import { listen } from './listen.ts'
import { openGround } from './open-ground.ts'
import { openLanguageModel } from './open-language-model.ts'
import { openSpeaking } from './open-speaking.ts'
import { openSpeech } from './open-speech.ts'
import { runWorkers } from './run-workers.ts'
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
  const { env, note, print } = context
  const hears = config.EMBEDDED_WORKERS || config.REALTIME_ENABLED
  const speech = hears ? await openSpeech({ config, env, note, signal: life.signal }) : undefined
  if (speech) closing.add('speech', () => speech.close())
  const speaking = await openSpeaking({ config, env, note, signal: life.signal })
  closing.add('voices', () => speaking.close())
  life.signal.throwIfAborted()
  const ground = await openGround({ config, log, closing, ownsDatabase: true, onFatal: life.fail })
  life.signal.throwIfAborted()
  const thinking = await openLanguageModel(config)
  closing.add('language model', () => thinking.close())
  const { app, identity, door } = await composeService(ground, { speech, speaking, thinking })
  if (speech && config.EMBEDDED_WORKERS) await runWorkers(ground, speech, env, ['file', 'chunk'])
  closing.add('requests', () => drain(app))
  // Before the requests: an open socket would keep the server from closing.
  if (door) closing.add('voice sessions', () => door.close())
  life.signal.throwIfAborted()
  const origin = await listen(app, { host: config.HOST, port: config.PORT })
  log.info({ origin }, 'ready')
  print(await welcome({ baseUrl: origin + config.BASE_PATH, identity }))
}

/** Closing refuses new connections and waits for the requests that are under way; only so long, though. */
async function drain(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close().finally(() => clearTimeout(late))
}
