import { randomBytes } from 'node:crypto'
import { encodeWav } from '../../src/audio/wav.ts'

const HEADER_BYTES = 44

/** A wav of exactly so many bytes whose sound is noise: no two have the same hash. */
export function wavBytes(bytes: number): Buffer {
  const wav = Buffer.from(encodeWav(new Float32Array((bytes - HEADER_BYTES) / 2)))
  randomBytes(bytes - HEADER_BYTES).copy(wav, HEADER_BYTES)
  return wav
}
