import { ensureModels } from '../../src/models/ensure-models.ts'
import { modelsDir, TEST_MODELS } from './models.ts'

/** Before any test: the weights the tests listen with. Fetched once per machine; afterwards a look at the stamps. */
export async function setup(): Promise<void> {
  await ensureModels(TEST_MODELS, {
    dir: modelsDir,
    onProgress: (progress) => {
      if (progress.step === 'fetching') console.error(`fetching ${progress.model} from ${progress.source}`)
      if (progress.step === 'waiting') console.error(`process ${progress.holderPid} is fetching models, waiting for it`)
    },
  })
}
