import { type AudioFormat, type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { type Box, boxesIn, firstBox } from './mp4-boxes.ts'
import { measureFragments } from './mp4-fragments.ts'

/** What an ISO or QuickTime file may begin with; old QuickTime has no `ftyp`. */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
const LARGEST_FIRST_BOX = 2 ** 40

type Track = { readonly id: number; readonly handler: string; readonly timescale: number; readonly duration: number }
type Movie = { readonly brand: string; readonly moov: Box | undefined; readonly moof: Box | undefined }

export async function readMp4Header(source: ByteSource): Promise<AudioHeader | undefined> {
  const head = await source.read(0, 8)
  if (head.length < 8 || !FIRST_BOXES.has(head.toString('latin1', 4, 8))) return undefined
  const { brand, moov, moof } = await readTopLevel(source)
  if (!moov) {
    if (!brand) return undefined
    throw corrupt('its index is missing; the file was cut off or never finished')
  }
  const tracks = await readTracks(source, moov)
  const audio = tracks.find(({ handler }) => handler === 'soun')
  if (!audio) return undefined
  const video = tracks.some(({ handler }) => handler === 'vide')
  const format = formatOf(brand, video)
  if (audio.duration > 0) return { format, durationSeconds: audio.duration / audio.timescale, estimated: false, video }
  if (!moof) throw empty()
  const { ticks, whole } = await measureFragments(source, moov, audio.id)
  if (ticks <= 0) throw empty()
  return { format, durationSeconds: ticks / audio.timescale, estimated: !whole, video }
}

async function readTopLevel(source: ByteSource): Promise<Movie> {
  let brand = ''
  let moov: Box | undefined
  for await (const box of boxesIn(source, 0, Math.min(source.size, LARGEST_FIRST_BOX))) {
    if (box.type === 'ftyp') brand = (await source.read(box.start, 4)).toString('latin1')
    if (box.type === 'moov') moov ??= box
    if (box.type === 'moof') return { brand, moov, moof: box }
  }
  return { brand, moov, moof: undefined }
}

async function readTracks(source: ByteSource, moov: Box): Promise<Track[]> {
  const mvhd = await firstBox(source, moov, 'mvhd')
  const movieTimescale = mvhd ? (await readMediaHeader(source, mvhd)).timescale : 0
  const tracks: Track[] = []
  for await (const box of boxesIn(source, moov.start, moov.end)) {
    if (box.type === 'trak') tracks.push(await readTrack(source, box, movieTimescale))
  }
  return tracks
}

async function readTrack(source: ByteSource, trak: Box, movieTimescale: number): Promise<Track> {
  const [mdhd, hdlr, tkhd] = [
    await firstBox(source, trak, 'mdia', 'mdhd'),
    await firstBox(source, trak, 'mdia', 'hdlr'),
    await firstBox(source, trak, 'tkhd'),
  ]
  if (!mdhd || !hdlr || !tkhd) throw corrupt('a track without a description')
  const handler = (await source.read(hdlr.start + 8, 4)).toString('latin1')
  const { timescale, duration } = await readMediaHeader(source, mdhd)
  const { id, shownTicks } = await readTrackHeader(source, tkhd)
  // The media holds what the encoder put in front and behind; what is played of it is in the movie's own clock.
  const shown = movieTimescale > 0 ? (shownTicks * timescale) / movieTimescale : 0
  return { id, handler, timescale, duration: shown > 0 ? Math.min(shown, duration) : duration }
}

/** Movie and media headers begin alike. Version 1 has 64-bit times, version 0 ones of 32. */
async function readMediaHeader(source: ByteSource, mdhd: Box): Promise<{ timescale: number; duration: number }> {
  const bytes = await source.read(mdhd.start, 32)
  if (bytes.length < 32) throw corrupt('a track cut off inside its header')
  const wide = bytes[0] === 1
  const timescale = bytes.readUInt32BE(wide ? 20 : 12)
  if (timescale === 0) throw corrupt('a track without a clock')
  const duration = wide ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16)
  const unknown = wide ? duration >= 2 ** 63 : duration === 0xff_ff_ff_ff
  return { timescale, duration: unknown ? 0 : duration }
}

async function readTrackHeader(source: ByteSource, tkhd: Box): Promise<{ id: number; shownTicks: number }> {
  const bytes = await source.read(tkhd.start, 36)
  if (bytes.length < 36) throw corrupt('a track cut off inside its header')
  const wide = bytes[0] === 1
  const shownTicks = wide ? Number(bytes.readBigUInt64BE(28)) : bytes.readUInt32BE(20)
  return { id: bytes.readUInt32BE(wide ? 20 : 12), shownTicks }
}

function formatOf(brand: string, video: boolean): AudioFormat {
  if (brand === '' || brand === 'qt  ') return 'mov'
  if (brand.startsWith('3g')) return '3gp'
  return video ? 'mp4' : 'm4a'
}
