import type { ByteSource } from './byte-source.ts'

export type Element = { readonly id: number; readonly start: number; readonly end: number }

const MAX_ELEMENTS = 20_000

/** The elements between two offsets. A live recorder leaves sizes open (all ones): such an element lasts to `to`. */
export async function* elementsIn(source: ByteSource, from: number, to: number): AsyncGenerator<Element> {
  let offset = from
  for (let count = 0; count < MAX_ELEMENTS && offset < to; count++) {
    const element = parseElement(await source.read(offset, 12), offset, to)
    if (!element) return
    yield element
    offset = element.end
  }
}

export function parseElement(bytes: Buffer, offset: number, to: number): Element | undefined {
  const idBytes = lengthOf(bytes[0], 4)
  const sizeBytes = lengthOf(bytes[idBytes ?? 0], 8)
  if (idBytes === undefined || sizeBytes === undefined || bytes.length < idBytes + sizeBytes) return undefined
  const id = bytes.readUIntBE(0, idBytes)
  const size = parseSize(bytes.subarray(idBytes, idBytes + sizeBytes))
  const start = offset + idBytes + sizeBytes
  return { id, start, end: size === undefined ? to : Math.min(start + size, to) }
}

/** The number of leading zero bits of the first byte says how many bytes follow. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  if (first === undefined || first === 0) return undefined
  const length = Math.clz32(first) - 23
  return length <= most ? length : undefined
}

function parseSize(bytes: Buffer): number | undefined {
  const marker = 1 << (8 - bytes.length)
  const top = (bytes[0] ?? 0) & (marker - 1)
  const open = top === marker - 1 && bytes.subarray(1).every((byte) => byte === 0xff)
  return open ? undefined : bytes.subarray(1).reduce((size, byte) => size * 256 + byte, top)
}

export async function readUnsigned(source: ByteSource, { start, end }: Element): Promise<number> {
  const bytes = await source.read(start, Math.min(8, end - start))
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

export async function readFloat(source: ByteSource, { start, end }: Element): Promise<number> {
  const bytes = await source.read(start, end - start > 4 ? 8 : 4)
  return bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : 0
}

export async function readText(source: ByteSource, { start, end }: Element): Promise<string> {
  return (await source.read(start, Math.min(64, end - start))).toString('latin1').replace(/\0+$/, '')
}
