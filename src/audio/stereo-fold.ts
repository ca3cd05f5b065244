import { SAMPLE_RATE_HZ } from '../speech/ports.ts'
import { type AudioBlock, BALANCE_WINDOW_MS } from './audio-block.ts'
import { samplesFromPcm16 } from './pcm16.ts'

const FULL_SCALE = 32_768
const WINDOW_SAMPLES = (SAMPLE_RATE_HZ * BALANCE_WINDOW_MS) / 1000
/** Two seconds: the voice detector sits in another process, and small messages cost more than what is in them. */
const BLOCK_SAMPLES = 2 * SAMPLE_RATE_HZ

/** 16-bit samples of one or two channels in, blocks of whole 20 ms windows out. */
export class StereoFold {
  readonly #channels: number
  readonly #blockBytes: number
  #pending: Buffer[] = []
  #pendingBytes = 0

  constructor(channels: number) {
    this.#channels = channels
    this.#blockBytes = BLOCK_SAMPLES * channels * 2
  }

  push(pcm: Buffer): AudioBlock | undefined {
    this.#pending.push(pcm)
    this.#pendingBytes += pcm.length
    if (this.#pendingBytes < this.#blockBytes) return undefined
    const bytes = Buffer.concat(this.#pending)
    const windowBytes = WINDOW_SAMPLES * this.#channels * 2
    const whole = bytes.length - (bytes.length % windowBytes)
    this.#pending = [bytes.subarray(whole)]
    this.#pendingBytes = bytes.length - whole
    return this.#fold(bytes.subarray(0, whole))
  }

  /** What is left, the last window perhaps not whole. */
  end(): AudioBlock | undefined {
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    return bytes.length < this.#channels * 2 ? undefined : this.#fold(bytes)
  }

  #fold(bytes: Buffer): AudioBlock {
    const length = Math.floor(bytes.length / (this.#channels * 2))
    // A copy where need be: 16-bit views must begin at an even address, and pieces of a pipe begin anywhere.
    const aligned = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes)
    const pcm = new Int16Array(aligned.buffer, aligned.byteOffset, length * this.#channels)
    return this.#channels === 1 ? { samples: samplesFromPcm16(pcm) } : foldTwo(pcm, length)
  }
}

function foldTwo(pcm: Int16Array, length: number): AudioBlock {
  const samples = new Float32Array(length)
  const balance = new Float32Array(Math.ceil(length / WINDOW_SAMPLES))
  for (let window = 0; window < balance.length; window++) {
    let [leftEnergy, rightEnergy] = [0, 0]
    const end = Math.min(length, (window + 1) * WINDOW_SAMPLES)
    for (let index = window * WINDOW_SAMPLES; index < end; index++) {
      const left = pcm[2 * index] ?? 0
      const right = pcm[2 * index + 1] ?? 0
      samples[index] = (left + right) / (2 * FULL_SCALE)
      leftEnergy += left * left
      rightEnergy += right * right
    }
    const energy = leftEnergy + rightEnergy
    balance[window] = energy === 0 ? 0 : (rightEnergy - leftEnergy) / energy
  }
  return { samples, balance }
}
