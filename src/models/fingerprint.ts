import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Names what is made from `files` in the way that `recipe` says. */
export async function fingerprint(recipe: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(recipe)
  for (const file of files) {
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
