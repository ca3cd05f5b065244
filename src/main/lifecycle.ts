import type { Logger } from '../platform/log.ts'

/** The whole stop, from the signal to the end of the process. */
const STOP_MS = 9_500

export type Life = {
  /** Aborted when the process has been asked to stop. */
  readonly signal: AbortSignal
  /** Something the process cannot live without is gone: stop, and end with a failure. */
  fail(error: unknown): void
}

/**
 * Runs a long command from start to stop. The first SIGTERM or SIGINT stops it in order, the second ends it at once.
 * An error nobody caught leaves the process in a state nobody knows: it is logged, and the process stops with failure.
 */
export async function live(
  log: Logger,
  start: (life: Life) => Promise<void>,
  stop: () => Promise<void>,
): Promise<number> {
  const asked = new AbortController()
  let exitCode = 0
  const end = new Promise<void>((resolve) => asked.signal.addEventListener('abort', () => resolve(), { once: true }))
  const ask = () => {
    if (!asked.signal.aborted) endInTime(log)
    asked.abort()
  }
  const fail = (error: unknown) => {
    log.fatal({ error }, 'stopping because of an error')
    exitCode = 1
    ask()
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    log.info({ signal }, 'stopping')
    ask()
  }
  const unhook = hookProcess(onSignal, fail)
  try {
    // Also when asked to stop meanwhile: what a start has half opened can only be closed when it has ended.
    await start({ signal: asked.signal, fail })
    await end
  } catch (error) {
    if (!asked.signal.aborted) throw error
  } finally {
    await stop()
    unhook()
  }
  return exitCode
}

function hookProcess(onSignal: (signal: NodeJS.Signals) => void, fail: (error: unknown) => void): () => void {
  const listeners = { SIGTERM: onSignal, SIGINT: onSignal, uncaughtException: fail, unhandledRejection: fail }
  for (const [event, listener] of Object.entries(listeners)) process.on(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(listeners)) process.off(event, listener)
  }
}

function endInTime(log: Logger): void {
  const late = setTimeout(() => {
    log.fatal({ seconds: STOP_MS / 1_000 }, 'did not stop in time')
    process.exit(1)
  }, STOP_MS)
  late.unref()
}
