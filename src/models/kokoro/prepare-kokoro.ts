import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fingerprint } from '../fingerprint.ts'
import { mendPhase } from './mend-phase.ts'

/** Raised whenever the graph is mended otherwise. */
const PREPARATION_VERSION = 1

/** The path of the network as the engine runs it. Made once beside the published one; whole or not there. */
export async function prepareKokoro(model: string, preparedDir: string): Promise<string> {
  const name = await fingerprint(`kokoro ${PREPARATION_VERSION}`, [model])
  const folder = join(preparedDir, `${basename(dirname(model))}-${name}`)
  const prepared = join(folder, 'model.onnx')
  if (existsSync(prepared)) return prepared
  await mkdir(preparedDir, { recursive: true })
  const target = await mkdtemp(join(preparedDir, '.preparing-'))
  try {
    await writeFile(join(target, 'model.onnx'), mendPhase(await readFile(model)))
    await rename(target, folder).catch((error: unknown) => {
      // Two processes prepared at once: the other's folder holds the same.
      if (!existsSync(prepared)) throw error
    })
    return prepared
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}
