import type { Samples } from '../speech/ports.ts'

const FULL_SCALE = 32_768

/** Little-endian 16-bit sound at whatever rate; a sample may lie across two pushes, its first byte waits here. */
export class Pcm16Reader {
  #oddByte: number | undefined

  push(bytes: Uint8Array): Samples {
    const waiting = this.#oddByte === undefined ? 0 : 1
    const all = new Uint8Array(waiting + bytes.length)
    if (this.#oddByte !== undefined) all[0] = this.#oddByte
    all.set(bytes, waiting)
    this.#oddByte = all.length % 2 === 1 ? all.at(-1) : undefined
    return samplesFromPcm16(new Int16Array(all.buffer, 0, all.length >> 1))
  }

  /** Forgets half a sample: what comes next begins with a whole one. */
  reset(): void {
    this.#oddByte = undefined
  }
}

export function samplesFromPcm16(pcm: Int16Array): Samples {
  const samples = new Float32Array(pcm.length)
  for (let index = 0; index < pcm.length; index++) samples[index] = (pcm[index] ?? 0) / FULL_SCALE
  return samples
}

/** What is too loud for 16 bits is cut off. */
export function pcm16FromSamples(samples: Samples): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index++) {
    const value = Math.round((samples[index] ?? 0) * FULL_SCALE)
    pcm[index] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, value))
  }
  return pcm
}
