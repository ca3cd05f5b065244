import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { type Element, elementsIn, parseElement, readFloat, readText, readUnsigned } from './ebml.ts'

const ID = {
  ebml: 0x1a_45_df_a3,
  docType: 0x42_82,
  segment: 0x18_53_80_67,
  info: 0x15_49_a9_66,
  timestampScale: 0x2a_d7_b1,
  duration: 0x44_89,
  tracks: 0x16_54_ae_6b,
  trackEntry: 0xae,
  trackType: 0x83,
  cluster: 0x1f_43_b6_75,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
} as const

const CLUSTER_MARK = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const VIDEO = 1
const AUDIO = 2
const DEFAULT_SCALE_NS = 1_000_000
const TAIL_BYTES = 8 * 1024 * 1024

type Segment = { scaleNs: number; durationTicks: number; trackTypes: number[]; firstCluster: Element | undefined }

export async function readMatroskaHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const head = parseElement(await source.read(0, 12), 0, source.size)
  if (head?.id !== ID.ebml) return undefined
  const format = (await readDocType(source, head)) === 'webm' ? 'webm' : 'mkv'
  const segment = await readSegment(source, head.end)
  if (segment.trackTypes.length === 0) throw corrupt('it describes no track')
  if (!segment.trackTypes.includes(AUDIO)) return undefined
  const video = segment.trackTypes.includes(VIDEO)
  const toSeconds = segment.scaleNs / 1e9
  if (segment.durationTicks > 0)
    return { format, durationSeconds: segment.durationTicks * toSeconds, estimated: false, video }
  if (!segment.firstCluster) throw empty()
  const ticks = await findLastTimestamp(source, segment.firstCluster)
  return { format, durationSeconds: ticks * toSeconds, estimated: true, video }
}

async function readDocType(source: ByteSource, head: Element): Promise<string> {
  for await (const element of elementsIn(source, head.start, head.end)) {
    if (element.id === ID.docType) return readText(source, element)
  }
  return ''
}

async function readSegment(source: ByteSource, from: number): Promise<Segment> {
  const found: Segment = { scaleNs: DEFAULT_SCALE_NS, durationTicks: 0, trackTypes: [], firstCluster: undefined }
  for await (const segment of elementsIn(source, from, source.size)) {
    if (segment.id !== ID.segment) continue
    for await (const element of elementsIn(source, segment.start, segment.end)) {
      if (element.id === ID.info) await readInfo(source, element, found)
      if (element.id === ID.tracks) found.trackTypes.push(...(await readTrackTypes(source, element)))
      if (element.id !== ID.cluster) continue
      found.firstCluster ??= element
      if (found.trackTypes.length > 0) return found
    }
  }
  return found
}

async function readInfo(source: ByteSource, info: Element, found: Segment): Promise<void> {
  for await (const element of elementsIn(source, info.start, info.end)) {
    if (element.id === ID.timestampScale) found.scaleNs = await readUnsigned(source, element)
    if (element.id === ID.duration) found.durationTicks = await readFloat(source, element)
  }
}

async function readTrackTypes(source: ByteSource, tracks: Element): Promise<number[]> {
  const types: number[] = []
  for await (const entry of elementsIn(source, tracks.start, tracks.end)) {
    if (entry.id !== ID.trackEntry) continue
    for await (const element of elementsIn(source, entry.start, entry.end)) {
      if (element.id === ID.trackType) types.push(await readUnsigned(source, element))
    }
  }
  return types
}

/** Browsers record WebM without a duration; the last cluster and its last block tell where it ended. */
async function findLastTimestamp(source: ByteSource, first: Element): Promise<number> {
  const tailStart = Math.max(first.start - 12, source.size - TAIL_BYTES, 0)
  const tail = await source.read(tailStart, source.size - tailStart)
  const at = tail.lastIndexOf(CLUSTER_MARK)
  const last = at < 0 ? first : parseElement(tail.subarray(at, at + 12), tailStart + at, source.size)
  return last ? lastBlockOf(source, last) : 0
}

async function lastBlockOf(source: ByteSource, cluster: Element): Promise<number> {
  let base = 0
  let latest = 0
  for await (const element of elementsIn(source, cluster.start, cluster.end)) {
    if (element.id === ID.timestamp) base = await readUnsigned(source, element)
    if (element.id !== ID.simpleBlock && element.id !== ID.blockGroup) continue
    latest = Math.max(latest, await relativeTime(source, element))
  }
  return base + latest
}

/** A block begins with its track number in one byte (for fewer than 128 tracks) and a signed 16-bit time. */
async function relativeTime(source: ByteSource, element: Element): Promise<number> {
  const offset = element.id === ID.blockGroup ? 2 + 1 : 1
  const bytes = await source.read(element.start + offset, 2)
  return element.id === ID.blockGroup || bytes.length < 2 ? 0 : bytes.readInt16BE(0)
}
