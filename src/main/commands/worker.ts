import { parseArgs } from 'node:util'
import { createLogger } from '../../platform/log.ts'
import { Closing } from '../closing.ts'
import { readConfig } from '../config.ts'
import { type Life, live } from '../lifecycle.ts'
import type { Command } from './command.ts'

export const worker: Command = {
  help: `lipik worker

A worker beside the service, on this machine or another: WORKER_MODE=file cuts files into chunks and merges them,
WORKER_MODE=chunk (the default) recognises chunks. Start as many as you like. On another machine, set DATABASE_URL and
STORAGE_URL to what the service uses; on the service's own, the same DATA_DIR is enough. Ctrl-C or SIGTERM gives unfinished
work back and stops.

Examples:
  WORKER_MODE=file lipik worker
  DATABASE_URL=postgresql://lipik@db/lipik STORAGE_URL=s3://audio INFERENCE_BATCH_SIZE=8 lipik worker
`,

  async run(args, { env, note }) {
    parseArgs({ args: [...args], options: {} })
    const config = readConfig(env)
    const log = createLogger({ level: config.LOG_LEVEL })
    const closing = new Closing(log)
    const start = async (life: Life) => {
      const { startWorker } = await import('../start-worker.ts')
      await startWorker({ config, log, closing, life, env, note })
    }
    return live(log, start, () => closing.close())
  },
}
