import { loadCatalogue, RECOGNITION_MODELS } from '../models/catalogue.ts'
import { defaultModelsDir } from '../models/default-models-dir.ts'
import { ensureModels, type ModelFiles } from '../models/ensure-models.ts'
import type { Config, Environment } from './config.ts'
import { showDownloads } from './show-downloads.ts'

type FetchOptions = {
  readonly config: Config
  readonly env: Environment
  readonly note: (line: string) => void
  readonly signal: AbortSignal
}

/** The models speech needs, fetched where they are missing; says on the way how far it is. */
export async function fetchModels(options: FetchOptions): Promise<Record<string, ModelFiles>> {
  const { config, env, note, signal } = options
  const catalogue = await loadCatalogue(config.MODELS_CATALOGUE)
  const dir = config.MODELS_DIR ?? defaultModelsDir(env)
  return ensureModels(RECOGNITION_MODELS, { dir, catalogue, env, signal, onProgress: showDownloads(note) })
}
