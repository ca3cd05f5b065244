import type { AudioHeader } from './audio-header.ts'
import type { ByteSource } from './byte-source.ts'
import { skipId3 } from './id3.ts'

const RATES_HZ = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const SAMPLES_PER_BLOCK = 1024
const HEADER_BYTES = 7
const FRAMES_TO_BELIEVE = 3
const COUNTED_BYTES = 1024 * 1024

type AdtsFrame = { readonly bytes: number; readonly samples: number; readonly rateHz: number }

/** AAC as a bare stream of ADTS frames: no length is written anywhere, so frames are counted. */
export async function readAdtsHeader(source: ByteSource): Promise<AudioHeader | undefined> {
  const start = await skipId3(source)
  const bytes = await source.read(start, COUNTED_BYTES)
  let offset = 0
  let frames = 0
  let seconds = 0
  for (let frame = parseFrame(bytes, 0); frame; frame = parseFrame(bytes, offset)) {
    offset += frame.bytes
    seconds += frame.samples / frame.rateHz
    frames++
  }
  const soundBytes = source.size - start
  if (frames < FRAMES_TO_BELIEVE && !(frames > 0 && offset === soundBytes)) return undefined
  const whole = soundBytes <= COUNTED_BYTES
  return { format: 'aac', durationSeconds: whole ? seconds : (seconds * soundBytes) / offset, estimated: !whole }
}

function parseFrame(bytes: Buffer, at: number): AdtsFrame | undefined {
  if (at + HEADER_BYTES > bytes.length) return undefined
  const word = bytes.readUInt32BE(at)
  // Twelve sync bits, any MPEG version, layer 0: the layer is what tells ADTS from mp3.
  if ((word & 0xff_f6_00_00) >>> 0 !== 0xff_f0_00_00) return undefined
  const rateHz = RATES_HZ[(word >>> 10) & 15]
  const size = ((word & 3) << 11) | (bytes.readUInt16BE(at + 4) >> 5)
  if (rateHz === undefined || size < HEADER_BYTES || at + size > bytes.length) return undefined
  const blocks = ((bytes[at + 6] ?? 0) & 3) + 1
  return { bytes: size, samples: blocks * SAMPLES_PER_BLOCK, rateHz }
}
