import type { Samples } from '../speech/ports.ts'
import { pcm16FromSamples } from './pcm16.ts'

/** The two laws of ITU-T G.711, one byte a sample at 8 kHz: µ-law in America and Japan, A-law elsewhere. */
export type G711Law = 'ulaw' | 'alaw'

const ULAW_BIAS = 0x84
const ULAW_CLIP = 32_635
const ALAW_CLIP = 32_767
/** A-law sends every second bit inverted, µ-law all of them: idle lines must not be all zeros. */
const ALAW_MASK = 0x55

export function decodeG711(law: G711Law, bytes: Uint8Array): Samples {
  const table = DECODED[law]
  const samples = new Float32Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) samples[index] = table[bytes[index] ?? 0] ?? 0
  return samples
}

export function encodeG711(law: G711Law, samples: Samples): Uint8Array {
  const encode = law === 'ulaw' ? encodeUlaw : encodeAlaw
  return Uint8Array.from(pcm16FromSamples(samples), encode)
}

function encodeUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), ULAW_CLIP) + ULAW_BIAS
  const exponent = 24 - Math.clz32(magnitude)
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

/** Counts below zero from -1, so that both signs have as many steps. */
function encodeAlaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = Math.min(sample < 0 ? ~sample : sample, ALAW_CLIP)
  const exponent = Math.max(0, 24 - Math.clz32(magnitude))
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ ALAW_MASK
}

function decodeUlaw(byte: number): number {
  const code = ~byte & 0xff
  const exponent = (code >> 4) & 0x07
  const magnitude = ((((code & 0x0f) << 3) + ULAW_BIAS) << exponent) - ULAW_BIAS
  return code & 0x80 ? -magnitude : magnitude
}

function decodeAlaw(byte: number): number {
  const code = byte ^ ALAW_MASK
  const exponent = (code >> 4) & 0x07
  const step = ((code & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? step : (step + 0x100) << (exponent - 1)
  return code & 0x80 ? magnitude : -magnitude
}

const tableOf = (decode: (byte: number) => number) =>
  Float32Array.from({ length: 256 }, (_, byte) => decode(byte) / 32_768)
const DECODED: Readonly<Record<G711Law, Float32Array>> = { ulaw: tableOf(decodeUlaw), alaw: tableOf(decodeAlaw) }
