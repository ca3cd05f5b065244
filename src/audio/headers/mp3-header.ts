import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { skipId3 } from './id3.ts'
import { type Mp3Frame, parseMp3Frame } from './mp3-frame.ts'

const SEARCH_BYTES = 64 * 1024
const COUNTED_BYTES = 1024 * 1024
const FRAMES_TO_BELIEVE = 4

/**
 * MPEG audio has no file header, so the first run of frames that agree with one another is taken as the beginning.
 * An encoder's Xing or VBRI frame gives the length; without one it follows from the mean frame size.
 */
export async function readMp3Header(source: ByteSource): Promise<AudioHeader | undefined> {
  const start = await skipId3(source)
  if (start > 0 && start >= source.size) throw empty()
  const bytes = await source.read(start, COUNTED_BYTES)
  const at = findFrames(bytes, source.size - start <= bytes.length)
  if (at === undefined) {
    if (start === 0) return undefined
    throw corrupt('a tag with no sound after it')
  }
  const first = parseMp3Frame(bytes, at)
  if (!first) return undefined
  const told = toldSeconds(bytes.subarray(at, at + first.bytes), first)
  if (told !== undefined) return { format: 'mp3', durationSeconds: told, estimated: false }
  const run = measureRun(bytes, at)
  const soundBytes = source.size - start - at
  return { format: 'mp3', durationSeconds: (run.seconds * soundBytes) / run.bytes, estimated: true }
}

function findFrames(bytes: Buffer, whole: boolean): number | undefined {
  const limit = Math.min(bytes.length - 4, SEARCH_BYTES)
  for (let at = bytes.indexOf(0xff); at >= 0 && at <= limit; at = bytes.indexOf(0xff, at + 1)) {
    const { frames, end } = countAgreeing(bytes, at)
    if (frames >= FRAMES_TO_BELIEVE) return at
    if (whole && at === 0 && frames > 0 && end >= bytes.length) return at
  }
  return undefined
}

function countAgreeing(bytes: Buffer, from: number): { frames: number; end: number } {
  let end = from
  let frames = 0
  let first: Mp3Frame | undefined
  while (frames < FRAMES_TO_BELIEVE) {
    const frame = parseMp3Frame(bytes, end)
    if (!frame || (first && !agrees(first, frame))) break
    first ??= frame
    end += frame.bytes
    frames++
  }
  return { frames, end }
}

const agrees = (a: Mp3Frame, b: Mp3Frame): boolean => a.kind === b.kind && a.rateHz === b.rateHz

function measureRun(bytes: Buffer, from: number): { seconds: number; bytes: number } {
  let offset = from
  let seconds = 0
  for (let frame = parseMp3Frame(bytes, offset); frame; frame = parseMp3Frame(bytes, offset)) {
    offset += frame.bytes
    seconds += frame.samples / frame.rateHz
  }
  return { seconds, bytes: offset - from }
}

function toldSeconds(frame: Buffer, { samples, rateHz }: Mp3Frame): number | undefined {
  const frames = xingFrames(frame) ?? vbriFrames(frame)
  if (!frames) return undefined
  return Math.max(0, frames.count * samples - frames.paddingSamples) / rateHz
}

/** The tag sits behind side information whose size depends on version and channels: looked for, not computed. */
function xingFrames(frame: Buffer): { count: number; paddingSamples: number } | undefined {
  const near = frame.subarray(0, 64)
  const at = Math.max(near.indexOf('Xing'), near.indexOf('Info'))
  if (at < 0 || frame.length < at + 12 || (frame.readUInt32BE(at + 4) & 1) === 0) return undefined
  return { count: frame.readUInt32BE(at + 8), paddingSamples: lamePadding(frame, at) }
}

/** LAME writes how many samples it added in front and behind, twelve bits each, 141 bytes into its tag. */
function lamePadding(frame: Buffer, tagAt: number): number {
  const at = tagAt + 141
  const encoder = frame.toString('latin1', tagAt + 120, tagAt + 124)
  if (!['LAME', 'Lavc', 'Lavf'].includes(encoder) || frame.length < at + 3) return 0
  const packed = frame.readUIntBE(at, 3)
  return (packed >> 12) + (packed & 0xfff)
}

function vbriFrames(frame: Buffer): { count: number; paddingSamples: number } | undefined {
  const at = 4 + 32
  if (frame.length < at + 18 || frame.toString('latin1', at, at + 4) !== 'VBRI') return undefined
  return { count: frame.readUInt32BE(at + 14), paddingSamples: 0 }
}
