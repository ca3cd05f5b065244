import { createHash } from 'node:crypto'
import type { Samples } from '../../speech/ports.ts'
import { LogMel } from './log-mel.ts'
import type { WhisperGraph } from './whisper-graph.ts'
import { windowFrames } from './window-frames.ts'

/** Of the clip's own length, of eight seconds at least, or the whole one the model was first taught with. */
export type ClipWindow = 'short' | 'padded' | 'whole'

/** 28 s of Whisper-small are 4.6 MB; a batch stays, for whoever asks about the same clips next. */
const MOST_BYTES = 48_000_000

const PADDED_FRAMES = 800

function framesOf(samples: Samples, window: ClipWindow, maxFrames: number): number {
  if (window === 'whole') return maxFrames
  const own = windowFrames(samples, maxFrames)
  return window === 'short' ? own : Math.max(own, Math.min(PADDED_FRAMES, maxFrames))
}

/** Clips through the encoder; those heard last are remembered, since words and sounds are asked from the same states. */
export class ClipStates {
  readonly #graph: WhisperGraph
  readonly #mel: LogMel
  readonly #known = new Map<string, Float32Array>()
  readonly #mostBytes: number
  #bytes = 0

  constructor(graph: WhisperGraph, mostBytes = MOST_BYTES) {
    this.#graph = graph
    this.#mostBytes = mostBytes
    this.#mel = new LogMel(graph.melBands)
  }

  async of(samples: Samples, window: ClipWindow): Promise<Float32Array> {
    const frames = framesOf(samples, window, this.#graph.maxFrames)
    const key = `${frames} ${createHash('sha1').update(bytesOf(samples)).digest('base64')}`
    const known = this.#known.get(key)
    if (known) return known
    const mel = new Float32Array(this.#mel.bands * frames)
    this.#mel.compute(samples, frames, mel)
    const states = await this.#graph.encode(mel, frames)
    this.#remember(key, states)
    return states
  }

  #remember(key: string, states: Float32Array): void {
    this.#known.set(key, states)
    this.#bytes += states.byteLength
    for (const [oldest, each] of this.#known) {
      if (this.#bytes <= this.#mostBytes) return
      this.#known.delete(oldest)
      this.#bytes -= each.byteLength
    }
  }
}

const bytesOf = (samples: Samples): Uint8Array => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
