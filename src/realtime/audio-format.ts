import { decodeG711, encodeG711 } from '../audio/g711.ts'
import { pcm16FromSamples, samplesFromPcm16 } from '../audio/pcm16.ts'
import { Resampler } from '../audio/resampler.ts'
import { SAMPLE_RATE_HZ, type Samples, type Sound } from '../speech/ports.ts'
import type { AudioFormat } from './session-config.ts'

type Encoding = {
  readonly rateHz: number
  readonly sampleBytes: number
  readonly decode: (bytes: Uint8Array) => Samples
  readonly encode: (samples: Samples) => Uint8Array
}

const PCM_RATE_HZ = 24_000
const G711_RATE_HZ = 8_000

const ENCODINGS: Readonly<Record<AudioFormat, Encoding>> = {
  pcm16: { rateHz: PCM_RATE_HZ, sampleBytes: 2, decode: decodePcm, encode: encodePcm },
  g711_ulaw: g711('ulaw'),
  g711_alaw: g711('alaw'),
}

function g711(law: 'ulaw' | 'alaw'): Encoding {
  const decode = (bytes: Uint8Array) => decodeG711(law, bytes)
  return { rateHz: G711_RATE_HZ, sampleBytes: 1, decode, encode: (samples) => encodeG711(law, samples) }
}

/** A copy: what comes from a frame need not lie on an even address. */
function decodePcm(bytes: Uint8Array): Samples {
  return samplesFromPcm16(new Int16Array(new Uint8Array(bytes).buffer))
}

function encodePcm(samples: Samples): Uint8Array {
  return new Uint8Array(pcm16FromSamples(samples).buffer)
}

export const sampleBytesOf = (format: AudioFormat): number => ENCODINGS[format].sampleBytes

export function bytesPerMs(format: AudioFormat): number {
  const { rateHz, sampleBytes } = ENCODINGS[format]
  return (rateHz / 1_000) * sampleBytes
}

export const durationMsOf = (format: AudioFormat, bytes: number): number => bytes / bytesPerMs(format)

/** Whole samples up to a time. */
export const bytesUpTo = (format: AudioFormat, ms: number): number => {
  const { rateHz, sampleBytes } = ENCODINGS[format]
  return Math.floor((ms * rateHz) / 1_000) * sampleBytes
}

/** What a client sends, as the ear wants it: one stream, whole samples in each push. */
export class AudioInput {
  readonly #encoding: Encoding
  readonly #resampler: Resampler

  constructor(format: AudioFormat) {
    this.#encoding = ENCODINGS[format]
    this.#resampler = new Resampler(this.#encoding.rateHz, SAMPLE_RATE_HZ)
  }

  push(bytes: Uint8Array): Samples {
    return this.#resampler.push(this.#encoding.decode(bytes))
  }

  end(): Samples {
    return this.#resampler.end()
  }
}

/** What a voice says, as a client wants it. */
export class AudioOutput {
  readonly #encoding: Encoding
  #resampler: Resampler | undefined
  #fromHz = 0

  constructor(format: AudioFormat) {
    this.#encoding = ENCODINGS[format]
  }

  push({ samples, sampleRateHz }: Sound): Uint8Array {
    const rest = sampleRateHz === this.#fromHz ? new Uint8Array(0) : this.end()
    if (!this.#resampler) {
      this.#resampler = new Resampler(sampleRateHz, this.#encoding.rateHz)
      this.#fromHz = sampleRateHz
    }
    return Buffer.concat([rest, this.#encoding.encode(this.#resampler.push(samples))])
  }

  /** What the resampler still held. */
  end(): Uint8Array {
    const rest = this.#resampler?.end()
    this.#resampler = undefined
    this.#fromHz = 0
    return rest ? this.#encoding.encode(rest) : new Uint8Array(0)
  }
}
