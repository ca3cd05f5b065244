import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ModelFile } from './model-entry.ts'

/** What is wrong with the file at `path`, or undefined when it is byte for byte the catalogued one. */
export async function findFault(path: string, file: ModelFile, signal?: AbortSignal): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return 'missing'
  if (found.size !== file.bytes) return `has ${found.size} bytes instead of ${file.bytes}`
  return (await sha256Of(path, signal)) === file.sha256 ? undefined : 'its SHA-256 is not the catalogued one'
}

async function sha256Of(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const blocks = createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) })
  for await (const block of blocks) hash.update(block)
  return hash.digest('hex')
}
