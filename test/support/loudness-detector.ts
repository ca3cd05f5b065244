import type { Samples, VoiceDetector, VoiceStream } from '../../src/speech/ports.ts'

const WINDOW_SAMPLES = 512

/** A detector that takes loud for speech: right for signals a test makes itself, and hours of them in seconds. */
export function createLoudnessDetector(): VoiceDetector & { readonly openStreams: () => number } {
  let open = 0
  return {
    openStreams: () => open,
    open: async () => {
      open++
      return new LoudnessStream(() => open--)
    },
    close: async () => undefined,
  }
}

class LoudnessStream implements VoiceStream {
  #rest: Samples = new Float32Array(0)
  readonly #closed: () => void

  constructor(closed: () => void) {
    this.#closed = closed
  }

  async push(samples: Samples): Promise<Float32Array> {
    const all = new Float32Array(this.#rest.length + samples.length)
    all.set(this.#rest)
    all.set(samples, this.#rest.length)
    const windows = Math.floor(all.length / WINDOW_SAMPLES)
    this.#rest = all.slice(windows * WINDOW_SAMPLES)
    return Float32Array.from({ length: windows }, (_, at) =>
      all.subarray(at * WINDOW_SAMPLES, (at + 1) * WINDOW_SAMPLES).some((each) => Math.abs(each) > 0.05) ? 0.9 : 0.05,
    )
  }

  async close(): Promise<void> {
    this.#closed()
  }
}
