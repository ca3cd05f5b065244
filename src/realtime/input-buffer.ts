import { bytesPerMs, bytesUpTo, sampleBytesOf } from './audio-format.ts'
import type { AudioFormat } from './session-config.ts'

const PIECE_BYTES = 8_192

/**
 * Sound a client has sent and nobody has taken yet. Its clock counts all sound of the session, in milliseconds from the
 * first byte, and is never set back: not by a commit, not by a clear, not by another format.
 */
export class InputBuffer {
  #format: AudioFormat
  #pieces: Uint8Array[] = []
  #bytes = 0
  /** Time of the first byte that is held. */
  #startMs = 0
  /** Half a sample: its other half comes with the next append. */
  #odd: Uint8Array = new Uint8Array(0)

  constructor(format: AudioFormat) {
    this.#format = format
  }

  get format(): AudioFormat {
    return this.#format
  }

  get startMs(): number {
    return this.#startMs
  }

  get endMs(): number {
    return this.#startMs + this.#bytes / bytesPerMs(this.#format)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Gives the whole samples that this append completed. */
  append(bytes: Uint8Array): Uint8Array {
    const all = this.#odd.length === 0 ? bytes : Buffer.concat([this.#odd, bytes])
    const whole = all.length - (all.length % sampleBytesOf(this.#format))
    this.#odd = new Uint8Array(all.subarray(whole))
    const samples = all.subarray(0, whole)
    if (samples.length > 0) this.#keep(samples)
    this.#bytes += samples.length
    return samples
  }

  /** Small appends are put together: each by itself would take more memory than its sound. */
  #keep(samples: Uint8Array): void {
    const last = this.#pieces.at(-1)
    if (!last || last.length + samples.length > PIECE_BYTES) this.#pieces.push(samples)
    else this.#pieces[this.#pieces.length - 1] = Buffer.concat([last, samples])
  }

  /** The sound between two times, as far as it is still here. */
  read(fromMs: number, toMs = Number.POSITIVE_INFINITY): Uint8Array {
    const from = this.#placeOf(fromMs)
    const to = toMs === Number.POSITIVE_INFINITY ? this.#bytes : this.#placeOf(toMs)
    const parts: Uint8Array[] = []
    let at = 0
    for (const piece of this.#pieces) {
      if (at < to && at + piece.length > from) parts.push(piece.subarray(Math.max(0, from - at), to - at))
      at += piece.length
    }
    return new Uint8Array(Buffer.concat(parts))
  }

  /** Forgets what lies before this time, in whole appends: nothing is copied. */
  forget(beforeMs: number): void {
    const place = this.#placeOf(beforeMs)
    let dropped = 0
    for (let [first] = this.#pieces; first && dropped + first.length <= place; [first] = this.#pieces) {
      dropped += first.length
      this.#pieces.shift()
    }
    this.#bytes -= dropped
    this.#startMs += dropped / bytesPerMs(this.#format)
  }

  /** Takes everything up to this time out of the buffer; the rest stays. */
  cutAt(ms: number): void {
    const rest = this.read(ms)
    const endMs = this.endMs
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#bytes = rest.length
    this.#startMs = endMs - rest.length / bytesPerMs(this.#format)
  }

  clear(): void {
    this.#startMs = this.endMs
    this.#pieces = []
    this.#bytes = 0
    this.#odd = new Uint8Array(0)
  }

  /** What was sent in the old format and not committed is dropped: one item cannot be in two formats. */
  setFormat(format: AudioFormat): void {
    if (format === this.#format) return
    this.clear()
    this.#format = format
  }

  #placeOf(ms: number): number {
    return Math.min(this.#bytes, Math.max(0, bytesUpTo(this.#format, ms - this.#startMs)))
  }
}
