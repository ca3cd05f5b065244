import { LipikError } from '../platform/errors.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../speech/ports.ts'
import { pcm16FromSamples } from './pcm16.ts'

const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2
const PCM = 1
const FULL_SCALE = 32_768

/** Mono 16-bit wav at the rate of speech: the form in which chunks are kept. */
export function encodeWav(samples: Samples): Uint8Array {
  const dataBytes = samples.length * BYTES_PER_SAMPLE
  const wav = Buffer.alloc(HEADER_BYTES + dataBytes)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(PCM, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(SAMPLE_RATE_HZ, 24)
  wav.writeUInt32LE(SAMPLE_RATE_HZ * BYTES_PER_SAMPLE, 28)
  wav.writeUInt16LE(BYTES_PER_SAMPLE, 32)
  wav.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(dataBytes, 40)
  new Int16Array(wav.buffer, wav.byteOffset + HEADER_BYTES, samples.length).set(pcm16FromSamples(samples))
  return wav
}

/** Reads back what `encodeWav` wrote; audio from elsewhere goes through `decodeAudio`. */
export function parseWav(wav: Uint8Array): Samples {
  const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength)
  if (!isOurWav(bytes)) throw new LipikError('audio_corrupt', 'the chunk is not a mono 16-bit wav at 16 kHz')
  const length = bytes.readUInt32LE(40) / BYTES_PER_SAMPLE
  const samples = new Float32Array(length)
  for (let index = 0; index < length; index++)
    samples[index] = bytes.readInt16LE(HEADER_BYTES + index * BYTES_PER_SAMPLE) / FULL_SCALE
  return samples
}

const isOurWav = (bytes: Buffer): boolean =>
  bytes.length >= HEADER_BYTES &&
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, 16) === 'WAVEfmt ' &&
  bytes.readUInt16LE(20) === PCM &&
  bytes.readUInt16LE(22) === 1 &&
  bytes.readUInt32LE(24) === SAMPLE_RATE_HZ &&
  bytes.readUInt16LE(34) === 8 * BYTES_PER_SAMPLE &&
  bytes.readUInt32LE(40) === bytes.length - HEADER_BYTES
