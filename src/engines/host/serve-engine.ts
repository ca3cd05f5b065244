import { type ErrorCode, LipikError } from '../../platform/errors.ts'
import { LiveRequests } from './live-requests.ts'
import type { FromEngine, ToEngine } from './messages.ts'
import { watchParent } from './watch-parent.ts'

/** The loaded model inside an engine process. */
export interface Engine<Request, Answer> {
  /** May be called again before it has answered: live requests come beside others, and the host may allow several of each. */
  handle(request: Request, signal: AbortSignal, isLive: boolean): Promise<Answer>
}

const send = (message: FromEngine): void => {
  process.send?.(message)
}

/**
 * Runs in the engine process: loads the model when told, then answers requests until the service goes away. Long work that
 * may wait awaits `giveWay` between its steps.
 */
export function serveEngine<Settings, Request, Answer>(
  load: (settings: Settings, giveWay: () => Promise<void>) => Promise<Engine<Request, Answer>>,
): void {
  const running = new Map<number, AbortController>()
  const live = new LiveRequests()
  let engine: Promise<Engine<Request, Answer>> | undefined

  process.on('disconnect', () => process.exit(0))
  process.on('message', (message: ToEngine) => {
    switch (message.type) {
      case 'load':
        watchParent(message.maxRssBytes)
        // The host starts this file with the settings this file declares; both sides are typed by the same adapter.
        engine = load(message.settings as Settings, () => live.giveWay())
        engine.then(
          () => send({ type: 'loaded' }),
          (error: unknown) => send({ type: 'load_failed', message: describe(error) }),
        )
        break
      case 'request':
        void answer(message.id, message.body as Request, message.isLive)
        break
      case 'cancel':
        running.get(message.id)?.abort()
        break
      case 'ping':
        send({ type: 'pong', id: message.id })
    }
  })

  async function answer(id: number, request: Request, isLive: boolean): Promise<void> {
    const abort = new AbortController()
    running.set(id, abort)
    if (isLive) live.begin()
    try {
      if (!engine) throw new Error('request before load')
      const body = await (await engine).handle(request, abort.signal, isLive)
      send({ type: 'answer', id, body, rssBytes: process.memoryUsage.rss() })
    } catch (error) {
      send({ type: 'refused', id, code: codeOf(error, abort.signal), message: describe(error) })
    } finally {
      if (isLive) live.end()
      running.delete(id)
    }
  }
}

function codeOf(error: unknown, signal: AbortSignal): ErrorCode {
  if (signal.aborted) return 'cancelled'
  return error instanceof LipikError ? error.code : 'engine_crashed'
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
