import { setTimeout as delay } from 'node:timers/promises'
import { isRetryable, LipikError } from '../../platform/errors.ts'
import type { Outcome, Recognition, RecognitionRequest, SpeechRecognizer } from '../../speech/ports.ts'
import { askServer, type RemoteServer } from './ask-server.ts'

export type RemoteOptions = {
  readonly name?: string
  /** Up to and without `/audio/transcriptions`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly timeoutMs?: number
  /** Requests at once; a server on a GPU gathers them into batches itself. */
  readonly concurrency?: number
  readonly attempts?: number
  readonly firstDelayMs?: number
}

/** Any server that speaks OpenAI's `POST /v1/audio/transcriptions`. */
export function createRemoteRecognizer(options: RemoteOptions): SpeechRecognizer {
  const { name = `remote:${options.model}`, concurrency = 8, attempts = 3, firstDelayMs = 500 } = options
  const server: RemoteServer = { timeoutMs: 120_000, ...options }
  const closing = new AbortController()

  async function recognizeOne(request: RecognitionRequest, signal: AbortSignal): Promise<Outcome<Recognition>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { ok: true, value: { segments: await askServer(server, request, signal) } }
      } catch (error) {
        if (signal.aborted) throw new LipikError('cancelled', `${name}: request cancelled`)
        const failure = error instanceof Error ? error : new Error(String(error))
        if (attempt >= attempts || !isRetryable(error)) return { ok: false, error: failure }
        await delay(firstDelayMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined)
      }
    }
  }

  return {
    name,
    async recognize(requests, signal) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const outcomes: Outcome<Recognition>[] = []
      const waiting = [...requests.entries()]
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          outcomes[next[0]] = await recognizeOne(next[1], either)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
      return outcomes
    },
    async close() {
      closing.abort()
    },
  }
}
