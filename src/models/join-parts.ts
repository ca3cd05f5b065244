import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { discard } from './download.ts'

/** One file out of its parts, in order; the parts are gone afterwards. A single part is the file. */
export async function joinParts(parts: readonly string[], target: string): Promise<string> {
  const [only] = parts
  if (parts.length === 1 && only) return only
  for (const [index, part] of parts.entries()) {
    await pipeline(createReadStream(part), createWriteStream(target, { flags: index === 0 ? 'w' : 'a' }))
  }
  for (const part of parts) await discard(part)
  return target
}
