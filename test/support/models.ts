import { SYNTHESIS_MODELS } from '../../src/models/catalogue.ts'
import { defaultModelsDir } from '../../src/models/default-models-dir.ts'
import { ensureModels, type ModelFiles } from '../../src/models/ensure-models.ts'

/** Real weights, from the folder the service itself uses; the global set-up has fetched them. */
export const TEST_MODELS = [
  'whisper-small',
  'whisper-tiny',
  'moonshine-base',
  'moonshine-tiny',
  'silero-vad-v6',
  'llama-vocabulary',
  ...SYNTHESIS_MODELS,
]

export const modelsDir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)

export async function testModel(name: string): Promise<ModelFiles> {
  const { [name]: model } = await ensureModels([name], { dir: modelsDir })
  if (!model) throw new Error(`no model ${name}`)
  return model
}
