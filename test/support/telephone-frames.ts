import { randomBytes } from './random-bytes.ts'

/** Any bits are a valid speech frame in these codecs, so frames of noise need no encoder. All last 20 ms. */
export const amrFrame = (seed: number): Buffer => Buffer.concat([Buffer.of((7 << 3) | 4), randomBytes(seed, 31)])
export const wideAmrFrame = (seed: number): Buffer => Buffer.concat([Buffer.of((8 << 3) | 4), randomBytes(seed, 60)])

/** What a telephone sends while nobody speaks: a description of the silence, then nothing. */
export const amrPause = (frames: number): Buffer[] =>
  Array.from({ length: frames }, (_, at) =>
    at % 8 === 0 ? Buffer.concat([Buffer.of((8 << 3) | 4), randomBytes(at, 5)]) : Buffer.of((15 << 3) | 4),
  )

export const AMR_MAGIC = Buffer.from('#!AMR\n')
export const WIDE_AMR_MAGIC = Buffer.from('#!AMR-WB\n')

export function gsmFrame(seed: number): Buffer {
  const frame = randomBytes(seed, 33)
  frame[0] = 0xd0 | ((frame[0] ?? 0) & 0x0f)
  return frame
}

/** GSM as Windows keeps it: two frames packed into 65 bytes of a wav. */
export function gsmWav(blocks: number): Buffer {
  const format = Buffer.alloc(20)
  format.writeUInt16LE(0x31, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(8000, 4)
  format.writeUInt32LE(1625, 8)
  format.writeUInt16LE(65, 12)
  format.writeUInt16LE(2, 16)
  format.writeUInt16LE(320, 18)
  const data = Buffer.concat(Array.from({ length: blocks }, (_, at) => randomBytes(at, 65)))
  return Buffer.concat([
    riffChunk('RIFF', Buffer.concat([Buffer.from('WAVE'), riffChunk('fmt ', format), riffChunk('data', data)])),
  ])
}

function riffChunk(id: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length % 2)])
}
