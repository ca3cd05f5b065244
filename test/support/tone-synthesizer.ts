import type { Sound, SynthesisRequest, Synthesizer } from '../../src/speech/ports.ts'
import type { Voice } from '../../src/speech/voice.ts'

const RATE_HZ = 24_000

/** Speaks in tones: ten milliseconds a letter, so that a test knows how long a sentence is. */
export class ToneSynthesizer implements Synthesizer {
  readonly voices: readonly Voice[] = [
    { id: 'tara', language: 'en', gender: 'female' },
    { id: 'neel', language: 'en', gender: 'male' },
    { id: 'ananya', language: 'hi', gender: 'female' },
  ]
  readonly requests: SynthesisRequest[] = []
  /** A sentence waits for this before it is spoken. */
  gate: Promise<unknown> | undefined
  failure: Error | undefined
  /** How many want it to stay ready. */
  keepers = 0
  readonly sleepers = [{ keep: () => this.#keep() }]

  reset(): void {
    this.requests.length = 0
    this.gate = undefined
    this.failure = undefined
  }

  async *synthesize(request: SynthesisRequest, signal?: AbortSignal): AsyncIterable<Sound> {
    this.requests.push(request)
    if (this.failure) throw this.failure
    await this.gate
    signal?.throwIfAborted()
    const length = request.text.length * 240
    const samples = Float32Array.from({ length }, (_, at) => 0.3 * Math.sin((2 * Math.PI * 440 * at) / RATE_HZ))
    yield { samples, sampleRateHz: RATE_HZ }
  }

  #keep() {
    this.keepers++
    const release = () => {
      this.keepers--
    }
    return { ready: Promise.resolve(), release }
  }

  async close(): Promise<void> {}
}
