import { tmpdir } from 'node:os'
import { decodeAudio } from '../src/audio/decode.ts'
import { findFfmpeg } from '../src/audio/find-ffmpeg.ts'
import { readConfig } from '../src/main/config.ts'
import { hearsSounds, transcriberOfFiles } from '../src/main/describe-files.ts'
import { openSpeech } from '../src/main/open-speech.ts'
import { sleepersOf } from '../src/speech/keep-awake.ts'
import { transcribeFile } from '../src/transcription/transcribe-file.ts'
import type { System } from './system.ts'

/**
 * The product's own way from a file to text, with the settings of the environment; it finds out the language by itself.
 * Words alone, as other systems give them, unless `SPEECH_INFORMATION` is asked for.
 */
export async function openProduct(settings: NodeJS.ProcessEnv = {}): Promise<System> {
  const env: NodeJS.ProcessEnv = { ...process.env, SPEECH_INFORMATION: 'false', ...settings }
  const config = readConfig(env)
  const note = (line: string) => console.error(line)
  const speech = await openSpeech({ config, env, note, signal: new AbortController().signal })
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: env.PATH })
  const parts = { ...speech, transcriber: transcriberOfFiles(speech, config) }
  const limits = { maxSeconds: config.MAX_AUDIO_SECONDS, maxBytes: config.MAX_FILE_BYTES }
  // As in a service that has been up for a while; loading weights is not speed.
  await Promise.all(sleepersOf([speech.detector, speech.transcriber]).map((sleeper) => sleeper.keep().ready))
  return {
    name: 'lipik',
    async transcribe(path) {
      const sound = decodeAudio({ ffmpeg, limits, spoolDir: tmpdir() }, path)
      const { transcript, failures } = await transcribeFile(parts, sound, {
        languages: config.ASR_LANGUAGES,
        batchSize: config.INFERENCE_BATCH_SIZE,
        withSounds: hearsSounds(config),
      })
      for (const { startMs, error } of failures) console.error(`${path}: chunk at ${startMs} ms: ${error.message}`)
      return { text: transcript.text, language: transcript.language }
    },
    async close() {
      await Promise.all([speech.close(), ffmpeg.close()])
    },
  }
}
