import { childEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import type { Samples, VoiceDetector, VoiceStream } from '../../speech/ports.ts'
import { createEngineHost, type EngineLimits } from '../host/engine-host.ts'
import { SideBySide } from './side-by-side.ts'
import {
  emptyState,
  type JudgedPiece,
  type SileroAnswer,
  type SileroRequest,
  type SileroSettings,
  type StreamPiece,
  WINDOW_SAMPLES,
} from './silero-state.ts'

export type SileroOptions = {
  /** Path of the 16 kHz network, version 5 or 6. */
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
    limits: { requestTimeoutMs: 30_000, maxRssBytes: 500_000_000, ...limits },
  })
  const live = new SideBySide(host, true)
  const patient = new SideBySide(host, false)
  return {
    open: async (isLive) => new SileroStream(isLive ? live : patient),
    sleepers: [host],
    close: () => host.close(),
  }
}

class SileroStream implements VoiceStream {
  readonly #network: SideBySide
  #state = emptyState()
  #rest: Samples = new Float32Array(0)
  #last: Promise<unknown> = Promise.resolve()

  constructor(network: SideBySide) {
    this.#network = network
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
      const { probabilities, state } = await this.#ask({ samples: all.subarray(0, wholeSamples), state: this.#state })
      this.#state = state
      this.#rest = all.slice(wholeSamples)
      return probabilities
    }
    this.#rest = all
    return new Float32Array(0)
  }

  /** A stream outlives a process: what died with it is asked once more. */
  async #ask(piece: StreamPiece): Promise<JudgedPiece> {
    try {
      return await this.#network.judge(piece)
    } catch (error) {
      if (!(error instanceof LipikError) || error.code !== 'engine_crashed') throw error
      return this.#network.judge(piece)
    }
  }
}

function joined(first: Samples, second: Samples): Samples {
  const all = new Float32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
