import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LipikError } from '../platform/errors.ts'
import { throwIfCancelled } from './cancelled.ts'

export type SpooledFile = { readonly path: string; remove(): Promise<void> }

/** Bytes in a file of their own, in a folder that goes with it. Nothing stays when the stream breaks off. */
export async function spool(
  bytes: AsyncIterable<Uint8Array>,
  dir: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<SpooledFile> {
  throwIfCancelled(signal)
  const folder = await mkdtemp(join(dir, 'audio-'))
  const path = join(folder, 'input')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(bytes, atMost(maxBytes), createWriteStream(path), signal ? { signal } : {})
    return { path, remove }
  } catch (error) {
    await remove()
    throwIfCancelled(signal)
    throw error
  }
}

function atMost(maxBytes: number): Transform {
  let passed = 0
  return new Transform({
    transform(piece: Uint8Array, _, done) {
      passed += piece.length
      if (passed > maxBytes) done(new LipikError('too_large', `the audio is larger than ${maxBytes} bytes`))
      else done(null, piece)
    },
  })
}
