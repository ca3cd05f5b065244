import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { childEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import { fingerprint } from '../fingerprint.ts'
import { type AdapterSource, NO_SOURCE } from './adapter-folder.ts'
import type { FromPreparation } from './prepare-child.ts'
import type { PreparationOrder } from './prepare-graphs.ts'

/** Raised whenever the graphs are built otherwise, so that what an older version prepared is not used. */
const PREPARATION_VERSION = 4
const WEIGHTS = ['onnx/encoder_model_quantized.onnx', 'onnx/decoder_model_merged_quantized.onnx']
const CARRIED_OVER = ['config.json', 'generation_config.json', 'tokenizer.json']

export type PreparationOptions = {
  readonly modelDir: string
  /** None: the model as it was published. */
  readonly adapter?: AdapterSource
  /** Prepared models are kept here, each under the hash of what it was made from. */
  readonly preparedDir: string
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

/**
 * The folder of the model as the engine runs it: encoder.onnx, cross.onnx, decoder.onnx, with an adapter also plain-cross.onnx
 * and plain-decoder.onnx without it, tokens.json, which gives the published number of each token of the graph, and the
 * model's own tokenizer and configuration. Made once; whole or not there.
 */
export async function prepareWhisper(options: PreparationOptions): Promise<string> {
  const { modelDir, adapter = NO_SOURCE, preparedDir, onProgress, signal } = options
  const made = [...WEIGHTS.map((name) => join(modelDir, name)), ...adapter.files]
  const folder = join(
    preparedDir,
    `${basename(modelDir)}-${await fingerprint(`preparation ${PREPARATION_VERSION}`, made)}`,
  )
  if (existsSync(folder)) return folder
  await mkdir(preparedDir, { recursive: true })
  const target = await mkdtemp(join(preparedDir, '.preparing-'))
  try {
    const order = { modelDir, adapter, target }
    const plain = runPreparation(
      { ...order, part: 'plain' },
      adapter.files.length === 0 ? onProgress : undefined,
      signal,
    )
    // Two processes side by side: the adapter takes as long to merge as everything else.
    const adapted = adapter.files.length > 0 && runPreparation({ ...order, part: 'adapted' }, onProgress, signal)
    // Both to their end before anything is removed: neither may write into a folder that is going.
    const failed = (await Promise.allSettled([plain, adapted])).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    await runPreparation({ ...order, part: 'check' }, undefined, signal)
    for (const name of CARRIED_OVER) await copyFile(join(modelDir, name), join(target, name))
    await rename(target, folder).catch((error: unknown) => {
      // Two processes prepared at once: the other's folder holds the same.
      if (!existsSync(folder)) throw error
    })
    onProgress?.(1)
    return folder
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}

async function runPreparation(
  order: PreparationOrder,
  onProgress: PreparationOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const { path, execArgv } = childEntry(import.meta.url, './prepare-child')
  const child = fork(path, { execArgv: [...execArgv], ...(signal && { signal }) })
  child.send(order)
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromPreparation) => {
      if ('progress' in message) onProgress?.(message.progress)
      else if ('done' in message) resolve()
      else
        reject(new LipikError('model_unavailable', `preparing ${basename(order.modelDir)} failed: ${message.failed}`))
    })
    child.once('error', reject)
    child.once('exit', (code, killed) =>
      reject(
        new LipikError('model_unavailable', `preparing ${basename(order.modelDir)} ended early (${killed ?? code})`),
      ),
    )
  })
}
