import type { ByteSource } from './byte-source.ts'
import { type Box, boxesIn, firstBox } from './mp4-boxes.ts'

/** Fragments whose headers are read; a longer recording is judged by these. */
const MAX_FRAGMENTS = 300

const HAS_BASE_OFFSET = 0x1
const HAS_DESCRIPTION = 0x2
const HAS_DEFAULT_DURATION = 0x8
const HAS_DATA_OFFSET = 0x1
const HAS_FIRST_FLAGS = 0x4
const HAS_SAMPLE_DURATION = 0x100
/** Every per-sample field a `trun` may carry is four bytes wide, one flag each. */
const SAMPLE_FIELDS = [0x100, 0x200, 0x400, 0x800]

type Measured = { readonly ticks: number; readonly whole: boolean }

/** A recorder that writes fragments leaves the movie's own duration at zero: the fragments hold it. */
export async function measureFragments(source: ByteSource, moov: Box, trackId: number): Promise<Measured> {
  const usual = await usualDuration(source, moov, trackId)
  let ticks = 0
  let fragments = 0
  for await (const box of boxesIn(source, 0, source.size)) {
    if (box.type !== 'moof') continue
    if (++fragments > MAX_FRAGMENTS)
      return { ticks: (ticks * (source.size - moov.end)) / (box.start - moov.end), whole: false }
    for await (const traf of boxesIn(source, box.start, box.end)) {
      if (traf.type === 'traf') ticks += await ticksOf(source, traf, trackId, usual)
    }
  }
  return { ticks, whole: true }
}

async function usualDuration(source: ByteSource, moov: Box, trackId: number): Promise<number> {
  const mvex = await firstBox(source, moov, 'mvex')
  if (!mvex) return 0
  for await (const box of boxesIn(source, mvex.start, mvex.end)) {
    if (box.type !== 'trex') continue
    const bytes = await source.read(box.start, 16)
    if (bytes.length === 16 && bytes.readUInt32BE(4) === trackId) return bytes.readUInt32BE(12)
  }
  return 0
}

async function ticksOf(source: ByteSource, traf: Box, trackId: number, usual: number): Promise<number> {
  const tfhd = await firstBox(source, traf, 'tfhd')
  if (!tfhd) return 0
  const head = await source.read(tfhd.start, 28)
  if (head.length < 8 || head.readUInt32BE(4) !== trackId) return 0
  const each = defaultDuration(head) ?? usual
  let ticks = 0
  for await (const box of boxesIn(source, traf.start, traf.end)) {
    if (box.type === 'trun') ticks += sumRun(await source.read(box.start, box.end - box.start), each)
  }
  return ticks
}

function defaultDuration(head: Buffer): number | undefined {
  const flags = head.readUIntBE(1, 3)
  if ((flags & HAS_DEFAULT_DURATION) === 0) return undefined
  const at = 8 + ((flags & HAS_BASE_OFFSET) === 0 ? 0 : 8) + ((flags & HAS_DESCRIPTION) === 0 ? 0 : 4)
  return head.length >= at + 4 ? head.readUInt32BE(at) : undefined
}

function sumRun(run: Buffer, each: number): number {
  if (run.length < 8) return 0
  const flags = run.readUIntBE(1, 3)
  const samples = run.readUInt32BE(4)
  if ((flags & HAS_SAMPLE_DURATION) === 0) return samples * each
  const stride = 4 * SAMPLE_FIELDS.filter((flag) => (flags & flag) !== 0).length
  let at = 8 + ((flags & HAS_DATA_OFFSET) === 0 ? 0 : 4) + ((flags & HAS_FIRST_FLAGS) === 0 ? 0 : 4)
  let ticks = 0
  for (let sample = 0; sample < samples && at + 4 <= run.length; sample++, at += stride) ticks += run.readUInt32BE(at)
  return ticks
}
