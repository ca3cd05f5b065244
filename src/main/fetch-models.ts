import { loadCatalogue, RECOGNITION_MODELS } from '../models/catalogue.ts'
import { defaultModelsDir } from '../models/default-models-dir.ts'
import { ensureModels, type ModelFiles, type ModelProgress } from '../models/ensure-models.ts'
import type { Config, Environment } from './config.ts'

type FetchOptions = {
  readonly config: Config
  readonly env: Environment
  readonly note: (line: string) => void
  readonly signal: AbortSignal
}

const MB = 1_000_000
/** Between two lines about one download, where no terminal can be written over. */
const STEP_BYTES = 50 * MB

/** The models speech needs, fetched where they are missing; says on the way how far it is. */
export async function fetchModels(options: FetchOptions): Promise<Record<string, ModelFiles>> {
  const { config, env, note, signal } = options
  const catalogue = await loadCatalogue(config.MODELS_CATALOGUE)
  const dir = config.MODELS_DIR ?? defaultModelsDir(env)
  return ensureModels(RECOGNITION_MODELS, { dir, catalogue, env, signal, onProgress: report(note) })
}

function report(note: (line: string) => void): (progress: ModelProgress) => void {
  let said = 0
  return (progress) => {
    if (progress.step === 'waiting') note(`process ${progress.holderPid} is fetching models: waiting for it`)
    if (progress.step === 'failed') note(`  ${progress.source} failed: ${progress.reason}`)
    if (progress.step === 'ready') note(`  ${progress.model} is ready (${Math.round(progress.bytes / MB)} MB)`)
    if (progress.step === 'fetching') {
      said = 0
      note(`fetching ${progress.model} from ${progress.source}`)
    }
    if (progress.step === 'bytes' && progress.doneBytes - said >= STEP_BYTES) {
      said = progress.doneBytes
      note(`  ${amount(progress.doneBytes, progress.totalBytes)}`)
    }
  }
}

const amount = (done: number, total: number | undefined): string =>
  total === undefined
    ? `${Math.round(done / MB)} MB`
    : `${Math.round((done / total) * 100)} % of ${Math.round(total / MB)} MB`
