import { readFileSync } from 'node:fs'
import { ensureModels } from '../../src/models/ensure-models.ts'

/** A process of its own that wants the model `net`: `ensure-child.ts MODELS_DIR CATALOGUE REGISTRY`. */
const [dir = '', catalogue = '', registry = ''] = process.argv.slice(2)
await ensureModels(['net'], {
  dir,
  catalogue: JSON.parse(readFileSync(catalogue, 'utf8')),
  env: { npm_config_registry: registry, npm_config_userconfig: '/dev/null' },
  onProgress: (progress) => console.log(progress.step),
})
