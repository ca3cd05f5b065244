import { type AudioHeader, corrupt, empty } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'

const MAX_CHUNKS = 1_000
const UNKNOWN_SIZE = 0xff_ff_ff_ff

/** Format tags whose frames have one fixed size, so that bytes tell the length exactly. */
const PCM = 0x01
const FLOAT = 0x03
const A_LAW = 0x06
const MU_LAW = 0x07
const EXTENSIBLE = 0xfffe
const FIXED_FRAMES = new Set([PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE])

type WavFormat = {
  readonly tag: number
  readonly sampleRateHz: number
  readonly bytesPerSecond: number
  readonly frameBytes: number
}

/** RIFF, and its 64-bit kin RF64 and BW64. A size larger than the file, or left open by a live recorder, is not believed. */
export async function readWavHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const head = await source.read(0, 12)
  const magic = head.toString('latin1', 0, 4)
  if (!['RIFF', 'RF64', 'BW64'].includes(magic) || head.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let format: WavFormat | undefined
  let wideBytes: number | undefined
  let offset = 12
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const header = await source.read(offset, 8)
    if (header.length < 8) break
    const id = header.toString('latin1', 0, 4)
    const size = header.readUInt32LE(4)
    if (id === 'ds64') wideBytes = await readWideSize(source, offset + 8)
    if (id === 'fmt ') format = parseFormat(await source.read(offset + 8, 16))
    if (id === 'data') return describe(format, openEnded(size, wideBytes), source.size - offset - 8)
    offset += 8 + size + (size % 2)
  }
  throw corrupt('a wav without data')
}

async function readWideSize(source: ByteSource, offset: number): Promise<number | undefined> {
  const sizes = await source.read(offset, 16)
  return sizes.length < 16 ? undefined : Number(sizes.readBigUInt64LE(8))
}

const openEnded = (size: number, wide: number | undefined): number =>
  size === UNKNOWN_SIZE || size === 0 ? (wide ?? Number.POSITIVE_INFINITY) : size

function parseFormat(bytes: Buffer): WavFormat {
  if (bytes.length < 16) throw corrupt('a wav cut off inside its header')
  return {
    tag: bytes.readUInt16LE(0),
    sampleRateHz: bytes.readUInt32LE(4),
    bytesPerSecond: bytes.readUInt32LE(8),
    frameBytes: bytes.readUInt16LE(12),
  }
}

function describe(format: WavFormat | undefined, claimedBytes: number, bytesInFile: number): AudioHeader {
  if (!format) throw corrupt('a wav that does not say how its samples are written')
  const bytes = Math.min(claimedBytes, bytesInFile)
  if (bytes <= 0) throw empty()
  const fixed = FIXED_FRAMES.has(format.tag)
  const bytesPerSecond = fixed ? format.frameBytes * format.sampleRateHz : format.bytesPerSecond
  if (bytesPerSecond <= 0) throw corrupt('a wav with no sample rate')
  return { format: 'wav', durationSeconds: bytes / bytesPerSecond, estimated: !fixed }
}
