import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'

const FRAME_SECONDS = 0.02

/** Frames up to this many bytes are counted; a longer file is judged by them. */
const COUNTED_BYTES = 1024 * 1024

/** Bytes of a frame by its type, the leading type byte included (RFC 4867, section 5); 0: no such frame. */
const NARROW = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
const WIDE = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

const KINDS = [
  { magic: '#!AMR\n', frames: NARROW },
  { magic: '#!AMR-WB\n', frames: WIDE },
]

export async function readAmrHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const head = (await source.read(0, 9)).toString('latin1')
  const kind = KINDS.find(({ magic }) => head.startsWith(magic))
  if (!kind) return undefined
  const start = kind.magic.length
  if (source.size === start) throw empty()
  const { frames, bytes } = countFrames(await source.read(start, COUNTED_BYTES), kind.frames)
  if (frames === 0) throw corrupt('an amr without a valid frame')
  const whole = source.size <= start + COUNTED_BYTES
  const scale = whole ? 1 : (source.size - start) / bytes
  return { format: 'amr', durationSeconds: frames * FRAME_SECONDS * scale, estimated: !whole }
}

function countFrames(bytes: Buffer, sizes: readonly number[]): { frames: number; bytes: number } {
  let offset = 0
  let frames = 0
  while (offset < bytes.length) {
    const size = sizes[((bytes[offset] ?? 0) >> 3) & 15] ?? 0
    if (size === 0 || offset + size > bytes.length) break
    offset += size
    frames++
  }
  return { frames, bytes: offset }
}
