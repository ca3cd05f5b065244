import type { ByteSource } from './byte-source.ts'

export type Box = { readonly type: string; readonly start: number; readonly end: number }

const MAX_BOXES = 20_000

/** The boxes between two offsets, in order, without reading what is in them. A box that claims too much ends with its parent. */
export async function* boxesIn(source: ByteSource, from: number, to: number): AsyncGenerator<Box> {
  let offset = from
  for (let count = 0; count < MAX_BOXES && offset + 8 <= to; count++) {
    const header = await source.read(offset, 16)
    if (header.length < 8) return
    const small = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const wide = small === 1 && header.length === 16
    const size = wide ? Number(header.readBigUInt64BE(8)) : small === 0 ? to - offset : small
    const headerBytes = wide ? 16 : 8
    if (size < headerBytes) return
    yield { type, start: offset + headerBytes, end: Math.min(offset + size, to) }
    offset += size
  }
}

export async function firstBox(source: ByteSource, parent: Box, ...path: string[]): Promise<Box | undefined> {
  let box: Box | undefined = parent
  for (const type of path) {
    box = await childOf(source, box, type)
    if (!box) return undefined
  }
  return box
}

async function childOf(source: ByteSource, parent: Box, type: string): Promise<Box | undefined> {
  for await (const box of boxesIn(source, parent.start, parent.end)) if (box.type === type) return box
  return undefined
}
