import { join } from 'node:path'
import { prepareWhisper } from '../../src/models/whisper/prepare-whisper.ts'
import { modelsDir, testModel } from './models.ts'

/** The prepared form of a published Whisper, kept beside the models between runs. */
export async function preparedWhisper(name: 'whisper-tiny' | 'whisper-small'): Promise<string> {
  const { dir } = await testModel(name)
  return prepareWhisper({ modelDir: dir, preparedDir: join(modelsDir, 'prepared') })
}
