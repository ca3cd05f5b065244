import { availableParallelism, tmpdir } from 'node:os'
import { findFfmpeg } from '../audio/find-ffmpeg.ts'
import type { SpeechRoutesDeps } from '../http/speech-routes.ts'
import { loadCatalogue } from '../models/catalogue.ts'
import { defaultModelsDir } from '../models/default-models-dir.ts'
import type { SpeechOptions } from './open-speech.ts'
import { openSynthesizer } from './open-synthesizer.ts'
import { showDownloads } from './show-downloads.ts'

export type Speaking = SpeechRoutesDeps & { close(): Promise<void> }

/** Everything that speaks, its weights fetched and prepared where they are not yet. The engines start with their first request. */
export async function openSpeaking({ config, env, note, signal }: SpeechOptions): Promise<Speaking> {
  const synthesizer = await openSynthesizer({
    dir: config.MODELS_DIR ?? defaultModelsDir(env),
    catalogue: await loadCatalogue(config.MODELS_CATALOGUE),
    threads: config.ENGINE_THREADS ?? availableParallelism(),
    voicesFile: config.VOICES_CATALOGUE,
    env,
    signal,
    onProgress: showDownloads(note),
  })
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: env.PATH })
  return {
    synthesizer,
    ffmpeg,
    spoolDir: tmpdir(),
    async close() {
      await Promise.all([synthesizer.close(), ffmpeg.close()])
    },
  }
}
