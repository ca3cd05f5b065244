import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeAudio } from '../audio/decode.ts'
import { findFfmpeg } from '../audio/find-ffmpeg.ts'
import { expireBatches } from '../batches/expire-batches.ts'
import type { RetrySettings } from '../batches/retry-policy.ts'
import { RecurringWork } from '../files/recurring-work.ts'
import type { ChunkTranscriber, LanguageIdentifier, VoiceDetector } from '../speech/ports.ts'
import { hearLanguages } from '../transcription/hear-languages.ts'
import { splitFile } from '../transcription/split-file.ts'
import { startChunkWorker } from '../worker/chunk-worker.ts'
import { createFetchAudio } from '../worker/fetch-audio.ts'
import type { SplitAudio } from '../worker/file-jobs.ts'
import { startFileWorker } from '../worker/file-worker.ts'
import type { Config, Environment } from './config.ts'
import { hearsSounds } from './describe-files.ts'
import type { Ground } from './open-ground.ts'

const HOUR_MS = 3_600_000

/** Cuts files into chunks, merges them, delivers webhooks, and deletes what is past its time. */
export function startFiles(ground: Ground, splitAudio: SplitAudio): void {
  const { config, log, database, closing } = ground
  const addresses = { allowPrivate: config.URL_SOURCES_ALLOW_PRIVATE }
  const worker = startFileWorker({
    ...common(ground),
    splitAudio,
    fetchAudio: createFetchAudio({
      ...addresses,
      maxBytes: config.MAX_FILE_BYTES,
      timeoutSeconds: config.URL_SOURCE_TIMEOUT_SECONDS,
    }),
    webhooks: addresses,
    pauseMs: config.PAUSE_TAG_SECONDS * 1000,
    concurrency: config.FILE_WORKER_CONCURRENCY,
  })
  closing.add('file worker', () => worker.close())
  const days = config.RETENTION_DAYS
  if (days === undefined) return
  const retention = new RecurringWork({
    name: 'retention',
    everyMs: HOUR_MS,
    log,
    work: async () => (await expireBatches(database.db, days, { keepObjects: config.SAVE_AUDIO_DATA })) > 0,
  })
  retention.start()
  closing.add('retention', () => retention.close())
}

export function startChunks(ground: Ground, transcriber: ChunkTranscriber): void {
  const { config, closing } = ground
  const worker = startChunkWorker({
    ...common(ground),
    transcriber,
    languages: config.ASR_LANGUAGES,
    concurrency: config.CHUNK_WORKER_CONCURRENCY,
    batchSize: config.INFERENCE_BATCH_SIZE,
    batchWaitMs: config.INFERENCE_BATCH_WAIT_MS,
  })
  closing.add('chunk worker', () => worker.close())
}

const common = ({ config, log, metrics, database, blobs }: Ground) => ({
  db: database.db,
  pool: database.pool,
  blobs,
  log,
  metrics,
  retries: retriesOf(config),
  keepObjects: config.SAVE_AUDIO_DATA,
})

const retriesOf = (config: Config): RetrySettings => ({
  separateQueues: config.SEPARATE_RETRY_QUEUES,
  file: { maxRetries: config.FILE_MAX_RETRIES, intervalsSeconds: config.FILE_RETRY_INTERVALS },
  chunk: { maxRetries: config.CHUNK_MAX_RETRIES, intervalsSeconds: config.CHUNK_RETRY_INTERVALS },
  separate: {
    maxRetries: config.CHUNK_MAX_RETRIES_SEPARATE,
    intervalsSeconds: config.CHUNK_RETRY_INTERVALS_SEPARATE,
  },
})

export type Ear = { readonly detector: VoiceDetector; readonly identifier: LanguageIdentifier }

/** How a file worker cuts: decoded by ffmpeg, at silences, each chunk with what was heard about its language. */
export async function createSplitAudio({ config, closing }: Ground, env: Environment, ear: Ear): Promise<SplitAudio> {
  const spoolDir = join(config.DATA_DIR, 'decode')
  await mkdir(spoolDir, { recursive: true })
  const ffmpeg = await findFfmpeg({ ffmpegPath: config.FFMPEG_PATH, searchPath: env.PATH })
  closing.add('ffmpeg', () => ffmpeg.close())
  const limits = { maxSeconds: config.MAX_AUDIO_SECONDS, maxBytes: config.MAX_FILE_BYTES }
  return async function* (audio, { signal, language }) {
    const sound = decodeAudio({ ffmpeg, limits, spoolDir }, audio, signal)
    const split = splitFile(ear.detector, sound, { signal, withSounds: hearsSounds(config) })
    yield* language ? split : hearLanguages(split, ear.identifier, config.ASR_LANGUAGES, signal)
    return { durationMs: split.durationMs }
  }
}
