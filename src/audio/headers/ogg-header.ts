import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { parseStreamInfo } from './flac-header.ts'

const PAGE_HEADER_BYTES = 27
const MAX_PAGE_BYTES = 65_307
const MAX_STREAMS = 16
const FIRST_PAGE = 0x02
const NO_POSITION = 0xff_ff_ff_ff_ff_ff_ff_ffn

type OggPage = {
  readonly flags: number
  readonly position: bigint
  readonly serial: number
  readonly body: Buffer
  readonly bytes: number
}
type OggStream = { readonly serial: number; readonly ticksPerSecond: number; readonly skippedTicks: number }

/** The stream's codec is in its first page, its length in the position of its last. */
export async function readOggHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  if ((await source.read(0, 4)).toString('latin1') !== 'OggS') return undefined
  const { audio, video, end } = await readFirstPages(source)
  if (!audio) return undefined
  if (end >= source.size) throw empty()
  const last = await findLastPosition(source, audio.serial)
  if (last === undefined) throw corrupt('an ogg without a complete page of sound')
  const seconds = Math.max(0, Number(last) - audio.skippedTicks) / audio.ticksPerSecond
  return { format: 'ogg', durationSeconds: seconds, estimated: false, video }
}

async function readFirstPages(source: ByteSource) {
  let audio: OggStream | undefined
  let video = false
  let end = 0
  for (let count = 0; count < MAX_STREAMS; count++) {
    const page = parsePage(await source.read(end, MAX_PAGE_BYTES), 0)
    if (!page || (page.flags & FIRST_PAGE) === 0) break
    audio ??= identify(page)
    video ||= page.body.toString('latin1', 1, 7) === 'theora'
    end += page.bytes
  }
  return { audio, video, end }
}

function identify({ body, serial }: OggPage): OggStream | undefined {
  const starts = (magic: string) => body.toString('latin1', 0, magic.length) === magic
  if (starts('OpusHead') && body.length >= 19)
    return { serial, ticksPerSecond: 48_000, skippedTicks: body.readUInt16LE(10) }
  if (starts('\x7fFLAC') && body.length >= 35)
    return { serial, ticksPerSecond: parseStreamInfo(body.subarray(17)).sampleRateHz, skippedTicks: 0 }
  const rateAt = starts('\x01vorbis') ? 12 : starts('Speex   ') ? 36 : undefined
  if (rateAt === undefined || body.length < rateAt + 4) return undefined
  const ticksPerSecond = body.readUInt32LE(rateAt)
  if (ticksPerSecond === 0) throw corrupt('an ogg with no sample rate')
  return { serial, ticksPerSecond, skippedTicks: 0 }
}

async function findLastPosition(source: ByteSource, serial: number): Promise<bigint | undefined> {
  const tail = await source.read(Math.max(0, source.size - 4 * MAX_PAGE_BYTES), 4 * MAX_PAGE_BYTES)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    const page = parsePage(tail, at)
    if (page && page.serial === serial && page.position !== NO_POSITION) return page.position
  }
  return undefined
}

function parsePage(bytes: Buffer, at: number): OggPage | undefined {
  if (bytes.length < at + PAGE_HEADER_BYTES || bytes.toString('latin1', at, at + 4) !== 'OggS') return undefined
  const segments = bytes[at + 26] ?? 0
  const bodyAt = at + PAGE_HEADER_BYTES + segments
  const lacing = bytes.subarray(at + PAGE_HEADER_BYTES, bodyAt)
  const bodyBytes = lacing.reduce((sum, each) => sum + each, 0)
  return {
    flags: bytes[at + 5] ?? 0,
    position: bytes.readBigUInt64LE(at + 6),
    serial: bytes.readUInt32LE(at + 14),
    body: bytes.subarray(bodyAt, bodyAt + bodyBytes),
    bytes: PAGE_HEADER_BYTES + segments + bodyBytes,
  }
}
