import type { Logger } from '../platform/log.ts'
import type { Closing } from './closing.ts'
import type { Config, Environment } from './config.ts'
import type { Life } from './lifecycle.ts'
import { openGround } from './open-ground.ts'
import { openSpeech } from './open-speech.ts'
import { runWorkers } from './run-workers.ts'

type Start = {
  readonly config: Config
  readonly log: Logger
  readonly closing: Closing
  readonly life: Life
  readonly env: Environment
  readonly note: (line: string) => void
}

/** A worker without a service: a guest of the service's database and storage. */
export async function startWorker({ config, log, closing, life, env, note }: Start): Promise<void> {
  const ground = await openGround({ config, log, closing, ownsDatabase: false, onFatal: life.fail })
  life.signal.throwIfAborted()
  const speech = await openSpeech({ config, env, note, signal: life.signal })
  closing.add('speech', () => speech.close())
  await runWorkers(ground, speech, env, [config.WORKER_MODE])
  log.info({ mode: config.WORKER_MODE }, 'working')
}
