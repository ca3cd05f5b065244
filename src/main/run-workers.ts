import type { Environment } from './config.ts'
import { transcriberOfFiles } from './describe-files.ts'
import type { Ground } from './open-ground.ts'
import type { Speech } from './open-speech.ts'
import { createSplitAudio, startChunks, startFiles } from './start-workers.ts'

export type WorkerMode = 'file' | 'chunk'

/** Workers of these modes, until the process closes. */
export async function runWorkers(
  ground: Ground,
  speech: Speech,
  env: Environment,
  modes: readonly WorkerMode[],
): Promise<void> {
  if (modes.includes('chunk')) startChunks(ground, transcriberOfFiles(speech, ground.config))
  if (modes.includes('file')) startFiles(ground, await createSplitAudio(ground, env, speech))
}
