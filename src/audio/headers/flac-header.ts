import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { skipId3 } from './id3.ts'

/** What lossless coding usually leaves of the plain samples; only used when the encoder did not write the length. */
const TYPICAL_RATIO = 0.6

export type StreamInfo = {
  readonly sampleRateHz: number
  readonly seconds: number
  readonly plainBytesPerSecond: number
}

export async function readFlacHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const start = await skipId3(source)
  const bytes = await source.read(start, 8 + 34)
  if (bytes.toString('latin1', 0, 4) !== 'fLaC') return undefined
  if (bytes.length < 42) throw corrupt('a flac cut off inside its header')
  const info = parseStreamInfo(bytes.subarray(8))
  if (source.size <= start + 42) throw empty()
  if (info.seconds > 0) return { format: 'flac', durationSeconds: info.seconds, estimated: false }
  const durationSeconds = (source.size - start) / (info.plainBytesPerSecond * TYPICAL_RATIO)
  return { format: 'flac', durationSeconds, estimated: true }
}

export function parseStreamInfo(info: Buffer): StreamInfo {
  if (info.length < 18) throw corrupt('a flac cut off inside its header')
  const packed = info.readBigUInt64BE(10)
  const sampleRateHz = Number(packed >> 44n)
  const channels = Number((packed >> 41n) & 7n) + 1
  const bits = Number((packed >> 36n) & 31n) + 1
  const totalSamples = Number(packed & 0xf_ff_ff_ff_ffn)
  if (sampleRateHz === 0) throw corrupt('a flac with no sample rate')
  return {
    sampleRateHz,
    seconds: totalSamples / sampleRateHz,
    plainBytesPerSecond: (sampleRateHz * channels * bits) / 8,
  }
}
