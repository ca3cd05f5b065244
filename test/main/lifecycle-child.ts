import { setTimeout as delay } from 'node:timers/promises'
import { live } from '../../src/main/lifecycle.ts'
import { createLogger } from '../../src/platform/log.ts'

/** A long command in small: how it behaves is named by the first argument. */
const [, , way] = process.argv
const log = createLogger({ level: 'info' })
const keepAlive = setInterval(() => {}, 1_000)

const start = async ({ signal, fail }: Parameters<Parameters<typeof live>[1]>[0]) => {
  log.info('starting')
  if (way === 'slow-start') {
    await delay(60_000, undefined, { signal }).catch(() => undefined)
    log.info('start broken off')
    signal.throwIfAborted()
  }
  if (way === 'bad-start') throw new Error('no ground to stand on')
  log.info('started')
  if (way === 'throws') setImmediate(() => JSON.parse('{'))
  if (way === 'rejects') void Promise.reject(new Error('nobody listens'))
  if (way === 'fails') fail(new Error('the database is gone'))
}
const stop = async () => {
  if (way === 'hangs') await new Promise(() => {})
  log.info('stopped')
}

const code = await live(log, start, stop).catch((error: unknown) => {
  log.error({ error }, 'did not start')
  return 1
})
clearInterval(keepAlive)
process.exitCode = code
