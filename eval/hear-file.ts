import type { Config } from '../src/main/config.ts'
import { hearsSounds, transcriberOfFiles } from '../src/main/describe-files.ts'
import type { Speech } from '../src/main/open-speech.ts'
import type { ChunkTranscriber, Samples } from '../src/speech/ports.ts'
import type { Transcript } from '../src/speech/transcript.ts'
import { transcribeFile } from '../src/transcription/transcribe-file.ts'

/** What hears a whole recording as the service does. */
export type Listener = { readonly speech: Speech; readonly config: Config }

/** Five seconds at a time, as from a decoder. */
const BLOCK = 80_000

/** `transcriber`: something else than the service would take for a file. */
export async function hearFile(
  { speech, config }: Listener,
  samples: Samples,
  transcriber: ChunkTranscriber = transcriberOfFiles(speech, config),
): Promise<Transcript> {
  const { transcript, failures } = await transcribeFile({ ...speech, transcriber }, inBlocks(samples), {
    languages: config.ASR_LANGUAGES,
    batchSize: config.INFERENCE_BATCH_SIZE,
    pauseMs: config.PAUSE_TAG_SECONDS * 1000,
    withSounds: hearsSounds(config) && transcriber !== speech.transcriber,
  })
  for (const { error } of failures) throw error
  return transcript
}

async function* inBlocks(samples: Samples) {
  for (let at = 0; at < samples.length; at += BLOCK) yield { samples: samples.slice(at, at + BLOCK) }
}
