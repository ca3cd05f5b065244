import { type AudioBlock, BALANCE_WINDOW_MS } from '../audio/audio-block.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../speech/ports.ts'

const SAMPLES_PER_MS = SAMPLE_RATE_HZ / 1000

/** The last stretch of a stream, addressed by its place in the whole. */
export class SampleWindow {
  #blocks: AudioBlock[] = []
  #startSample = 0
  #endSample = 0

  get endMs(): number {
    return this.#endSample / SAMPLES_PER_MS
  }

  push(block: AudioBlock): void {
    this.#blocks.push(block)
    this.#endSample += block.samples.length
  }

  /** Forgets whole blocks that end before `ms`. */
  dropBefore(ms: number): void {
    const sample = ms * SAMPLES_PER_MS
    let first = this.#blocks[0]
    while (first && this.#startSample + first.samples.length <= sample) {
      this.#startSample += first.samples.length
      this.#blocks.shift()
      first = this.#blocks[0]
    }
  }

  samples(startMs: number, endMs: number): Samples {
    const from = startMs * SAMPLES_PER_MS
    const to = Math.min(endMs * SAMPLES_PER_MS, this.#endSample)
    const cut = new Float32Array(to - from)
    let at = this.#startSample
    for (const { samples } of this.#blocks) {
      const part = samples.subarray(Math.max(0, from - at), Math.max(0, to - at))
      if (part.length > 0) cut.set(part, Math.max(0, at - from))
      at += samples.length
    }
    return cut
  }

  /** One value per 20 ms of the recording, from the window in which the cut begins; absent for one channel. */
  balance(startMs: number, endMs: number): Float32Array | undefined {
    const from = Math.floor(startMs / BALANCE_WINDOW_MS)
    const to = Math.ceil(endMs / BALANCE_WINDOW_MS)
    const found: number[] = []
    let at = Math.floor(this.#startSample / SAMPLES_PER_MS / BALANCE_WINDOW_MS)
    for (const { balance } of this.#blocks) {
      if (!balance) return undefined
      found.push(...balance.subarray(Math.max(0, from - at), Math.max(0, to - at)))
      at += balance.length
    }
    return Float32Array.from(found)
  }
}
