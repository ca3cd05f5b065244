/** Enough of an ISO file writer to lay out indexes a stream encoder cannot: at the end, with odd codecs, pointing elsewhere. */
export type Mp4Track = {
  readonly brand: string
  readonly handler: 'soun' | 'vide'
  readonly timescale: number
  readonly ticksPerFrame: number
  readonly frames: readonly Buffer[]
  /** The sample entry's type and what follows its common fields. */
  readonly codec: string
  readonly codecBoxes: Buffer
  readonly indexFirst?: boolean
  /** What the encoder put in front of the sound; the edit list leaves it out. */
  readonly leadTicks?: number
  /** How many frames, all of one size, the index claims instead of those there are. */
  readonly claimedFrames?: number
  /** A file the index claims the sound is in, instead of this one. */
  readonly reference?: string
}

export function mp4File(track: Mp4Track): Buffer {
  const ftyp = box('ftyp', ascii(track.brand), u32(0), ascii(track.brand))
  const mdat = box('mdat', ...track.frames)
  const headBytes = track.indexFirst ? ftyp.length + moov(track, 0).length : ftyp.length
  const index = moov(track, headBytes + 8)
  return Buffer.concat(track.indexFirst ? [ftyp, index, mdat] : [ftyp, mdat, index])
}

/** AAC frames with the headers of a bare stream, as the frames and the description an index needs. */
export function fromAdts(adts: Buffer): { frames: Buffer[]; codecBoxes: Buffer } {
  const frames: Buffer[] = []
  for (let at = 0; at + 7 <= adts.length; ) {
    const size = (((adts[at + 3] ?? 0) & 3) << 11) | (adts.readUInt16BE(at + 4) >> 5)
    frames.push(adts.subarray(at + 7, at + size))
    at += size
  }
  const [profile, rate] = [(adts[2] ?? 0) >> 6, ((adts[2] ?? 0) >> 2) & 15]
  const channels = (((adts[2] ?? 0) & 1) << 2) | ((adts[3] ?? 0) >> 6)
  const config = Buffer.of(((profile + 1) << 3) | (rate >> 1), ((rate & 1) << 7) | (channels << 3))
  return { frames, codecBoxes: box('esds', u32(0), elementaryStream(config)) }
}

function elementaryStream(config: Buffer): Buffer {
  const specific = descriptor(5, config)
  const decoder = descriptor(4, Buffer.of(0x40, 0x15, 0, 0, 0), u32(0), u32(0), specific)
  return descriptor(3, Buffer.of(0, 1, 0), decoder, descriptor(6, Buffer.of(2)))
}

const descriptor = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, body.length), body])
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u16 = (value: number): Buffer => u32(value).subarray(2)
const zeros = (length: number): Buffer => Buffer.alloc(length)

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), ascii(type), body])
}

const MATRIX = Buffer.concat([u32(0x10000), zeros(12), u32(0x10000), zeros(12), u32(0x40000000)])

function moov(track: Mp4Track, dataAt: number): Buffer {
  const ticks = track.frames.length * track.ticksPerFrame
  const shown = ticks - (track.leadTicks ?? 0)
  const times = [u32(0), u32(0), u32(track.timescale), u32(ticks)]
  const mvhd = box('mvhd', u32(0), ...times, u32(0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(2))
  const tkhd = box(
    'tkhd',
    u32(7),
    u32(0),
    u32(0),
    u32(1),
    u32(0),
    u32(shown),
    zeros(8),
    zeros(4),
    u16(0x100),
    u16(0),
    MATRIX,
    zeros(8),
  )
  const mdhd = box('mdhd', u32(0), ...times, u16(0x55c4), u16(0))
  const hdlr = box('hdlr', u32(0), u32(0), ascii(track.handler), zeros(12), Buffer.of(0))
  const header = track.handler === 'soun' ? box('smhd', zeros(8)) : box('vmhd', u32(1), zeros(8))
  const minf = box('minf', header, box('dinf', dataReference(track.reference)), sampleTable(track, dataAt))
  return box('moov', mvhd, box('trak', tkhd, editList(track, shown), box('mdia', mdhd, hdlr, minf)))
}

const editList = ({ leadTicks = 0 }: Mp4Track, shown: number): Buffer =>
  leadTicks === 0 ? zeros(0) : box('edts', box('elst', u32(0), u32(1), u32(shown), u32(leadTicks), u32(0x10000)))

/** A reference elsewhere is an alias record, the only kind ffmpeg can follow: names of fixed size, then the whole path. */
function dataReference(path: string | undefined): Buffer {
  if (path === undefined) return box('dref', u32(0), u32(1), box('url ', u32(1)))
  const names = [zeros(10), zeros(28), zeros(12), zeros(64), zeros(16)]
  const levels = [u16(1), u16(1), zeros(16)]
  const wholePath = [u16(2), u16(path.length), ascii(path), zeros(path.length % 2), u16(0xffff), u16(0)]
  return box('dref', u32(0), u32(1), box('alis', u32(0), ...names, ...levels, ...wholePath))
}

function sampleTable(track: Mp4Track, dataAt: number): Buffer {
  const count = track.claimedFrames ?? track.frames.length
  const each = track.frames[0]?.length ?? 0
  const sizes = track.claimedFrames ? [u32(each), u32(count)] : [u32(0), u32(count), ...track.frames.map(sizeOf)]
  return box(
    'stbl',
    box('stsd', u32(0), u32(1), sampleEntry(track)),
    box('stts', u32(0), u32(1), u32(count), u32(track.ticksPerFrame)),
    box('stsc', u32(0), u32(1), u32(1), u32(count), u32(1)),
    box('stsz', u32(0), ...sizes),
    box('stco', u32(0), u32(1), u32(dataAt)),
  )
}

const sizeOf = ({ length }: Buffer): Buffer => u32(length)

function sampleEntry({ codec, codecBoxes, handler, timescale }: Mp4Track): Buffer {
  if (handler === 'vide') return box(codec, zeros(6), u16(1), zeros(16), u16(16), u16(16), zeros(50), codecBoxes)
  return box(codec, zeros(6), u16(1), zeros(8), u16(1), u16(16), zeros(4), u16(timescale), u16(0), codecBoxes)
}
