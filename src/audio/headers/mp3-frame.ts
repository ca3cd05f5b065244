export type Mp3Frame = {
  readonly bytes: number
  readonly samples: number
  readonly rateHz: number
  /** Version and layer together: they never change inside one file. */
  readonly kind: number
}

const VERSION_1 = 3
const VERSION_2 = 2
const LAYER_3 = 1
const LAYER_1 = 3

const RATES_HZ = [44_100, 48_000, 32_000]

/** Kilobits per second by bit rate index (ISO 11172-3 table 3-B.2 and ISO 13818-3), per version group and layer. */
const KBPS_V1: Readonly<Record<number, readonly number[]>> = {
  3: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
}
const KBPS_V2: Readonly<Record<number, readonly number[]>> = {
  3: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  1: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}

export function parseMp3Frame(bytes: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > bytes.length) return undefined
  const word = bytes.readUInt32BE(at)
  if (word >>> 21 !== 0x7ff) return undefined
  const version = (word >>> 19) & 3
  const layer = (word >>> 17) & 3
  const rate = RATES_HZ[(word >>> 10) & 3]
  const kbps = (version === VERSION_1 ? KBPS_V1 : KBPS_V2)[layer]?.[(word >>> 12) & 15]
  if (version === 1 || layer === 0 || rate === undefined || !kbps) return undefined
  const rateHz = version === VERSION_1 ? rate : version === VERSION_2 ? rate / 2 : rate / 4
  const samples = samplesOf(version, layer)
  const slotBytes = layer === LAYER_1 ? 4 : 1
  const padding = (word >>> 9) & 1
  const size = (Math.floor(((samples / 8) * kbps * 1000) / rateHz / slotBytes) + padding) * slotBytes
  return { bytes: size, samples, rateHz, kind: version * 4 + layer }
}

function samplesOf(version: number, layer: number): number {
  if (layer === LAYER_1) return 384
  return layer === LAYER_3 && version !== VERSION_1 ? 576 : 1152
}
