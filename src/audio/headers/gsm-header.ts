import type { AudioHeader } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'

const FRAME_BYTES = 33
const FRAME_SECONDS = 0.02
const FRAMES_TO_BELIEVE = 10
const FRAMES_TO_CHECK = 100

/** A raw GSM 06.10 file has no header; every frame of 33 bytes begins with the four bits 1101. */
export async function readGsmHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const bytes = await source.read(0, FRAME_BYTES * FRAMES_TO_CHECK)
  const frames = Math.floor(bytes.length / FRAME_BYTES)
  if (frames < FRAMES_TO_BELIEVE) return undefined
  for (let frame = 0; frame < frames; frame++) {
    if ((bytes[frame * FRAME_BYTES] ?? 0) >> 4 !== 0b1101) return undefined
  }
  return { format: 'gsm', durationSeconds: Math.floor(source.size / FRAME_BYTES) * FRAME_SECONDS, estimated: false }
}
