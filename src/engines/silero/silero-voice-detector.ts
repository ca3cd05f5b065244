import type { Samples, VoiceDetector, VoiceStream } from '../../speech/ports.ts'
import { childEntry } from '../host/child-entry.ts'
import { createEngineHost, type EngineHost, type EngineLimits } from '../host/engine-host.ts'
import {
  emptyState,
  type SileroAnswer,
  type SileroRequest,
  type SileroSettings,
  WINDOW_SAMPLES,
} from './silero-state.ts'

export type SileroOptions = {
  /** Path of `silero_vad_v5.onnx` or `silero_vad_v6.onnx`. */
  readonly model: string
  readonly limits?: Partial<EngineLimits>
}

/** Any number of streams share one process; push seconds rather than milliseconds where the audio is already there. */
export function createSileroVoiceDetector({ model, limits }: SileroOptions): VoiceDetector {
  const settings: SileroSettings = { model }
  const host = createEngineHost<SileroRequest, SileroAnswer>({
    name: 'silero',
    entry: childEntry(import.meta.url, './silero-child'),
    settings,
    limits: { requestTimeoutMs: 30_000, maxQueue: 1_000, maxRssBytes: 500_000_000, ...limits },
  })
  return { open: async (isLive = false) => new SileroStream(host, isLive), close: () => host.close() }
}

class SileroStream implements VoiceStream {
  readonly #host: EngineHost<SileroRequest, SileroAnswer>
  readonly #isLive: boolean
  #state = emptyState()
  #rest: Samples = new Float32Array(0)
  #last: Promise<unknown> = Promise.resolve()

  constructor(host: EngineHost<SileroRequest, SileroAnswer>, isLive: boolean) {
    this.#host = host
    this.#isLive = isLive
  }

  /** Answers for the windows that are full; what is left over waits for the next push. A failed push may be repeated. */
  push(samples: Samples): Promise<Float32Array> {
    const answer = this.#last.then(() => this.#judge(samples))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    await this.#last
  }

  async #judge(samples: Samples): Promise<Float32Array> {
    const all = joined(this.#rest, samples)
    const wholeSamples = all.length - (all.length % WINDOW_SAMPLES)
    if (wholeSamples > 0) {
      const body = { samples: all.subarray(0, wholeSamples), state: this.#state }
      const { probabilities, state } = await this.#host.request(body, undefined, this.#isLive)
      this.#state = state
      this.#rest = all.slice(wholeSamples)
      return probabilities
    }
    this.#rest = all
    return new Float32Array(0)
  }
}

function joined(first: Samples, second: Samples): Samples {
  const all = new Float32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
