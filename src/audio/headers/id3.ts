import type { ByteSource } from './byte-source.ts'

const HEADER_BYTES = 10
const MAX_TAGS = 8

/** Where the sound begins: taggers put ID3v2 blocks, sometimes several, in front of mp3, aac and even flac. */
export async function skipId3(source: ByteSource): Promise<number> {
  let offset = 0
  for (let count = 0; count < MAX_TAGS; count++) {
    const tag = await source.read(offset, HEADER_BYTES)
    if (tag.length < HEADER_BYTES || tag.toString('latin1', 0, 3) !== 'ID3') return offset
    const footer = ((tag[5] ?? 0) & 0x10) === 0 ? 0 : HEADER_BYTES
    offset += HEADER_BYTES + sevenBitSize(tag.subarray(6, 10)) + footer
  }
  return offset
}

/** ID3v2 keeps the top bit of each byte clear so that a size never looks like a frame sync. */
const sevenBitSize = (bytes: Buffer): number => bytes.reduce((size, byte) => (size << 7) | (byte & 0x7f), 0)
