import { choice, flag, integer, optional, seconds, text } from './setting.ts'

const GIB = 1_073_741_824

export const fileSettings = {
  MAX_FILE_BYTES: integer('Largest file of an upload.', 2 * GIB, { min: 1, unit: 'bytes' }),
  MAX_UPLOAD_BYTES: integer('Largest upload request.', 20 * GIB, { min: 1, unit: 'bytes' }),
  MAX_UPLOAD_FILES: integer('Most files in one upload request.', 1_000, { min: 1, max: 100_000 }),
  SPOOL_DIR: optional(text('Folder where uploads wait for storage.', '', 'folder'), '`spool` in `DATA_DIR`'),
  SPOOL_MIN_FREE_BYTES: integer('Uploads are refused with 503 when the spool disk has less room than this.', GIB, {
    min: 0,
    unit: 'bytes',
  }),
  UPLOAD_MAX_ATTEMPTS: integer('Times a file is tried to be moved from the spool to storage.', 5, { min: 1, max: 100 }),
  UPLOAD_RETRY_INTERVALS: seconds('Waits between those tries; the last is repeated.', '1,5,20,60'),
  UPLOAD_CONCURRENCY: integer('Files moved to storage at the same time.', 4, { min: 1, max: 100 }),
  RETENTION_DAYS: optional(
    integer('Files and their results are deleted this long after they came.', 1, { min: 1, unit: 'days' }),
    'kept until deleted',
  ),
}

export const batchSettings = {
  MAX_BATCH_FILES: integer('Most files in one batch.', 10_000, { min: 1, max: 1_000_000 }),
  MAX_QUEUE_DEPTH: integer('Unfinished jobs beyond which a submission is refused with 503.', 100_000, { min: 1 }),
  URL_SOURCES_ALLOW_PRIVATE: flag('Lets URL sources reach private and loopback addresses. For closed networks.', false),
  URL_SOURCE_TIMEOUT_SECONDS: integer('Longest fetch of a URL source.', 600, { min: 1, unit: 'seconds' }),
  QUOTA_ENABLED: flag('Counts what each user submits in a day and refuses more with 429.', false),
  QUOTA_AUDIO_SECONDS_PER_DAY: integer('Audio each user may submit in a day.', 36_000, { min: 1, unit: 'seconds' }),
  QUOTA_FILES_PER_DAY: integer('Files each user may submit in a day.', 1_000, { min: 1 }),
}

export const workerSettings = {
  WORKER_MODE: choice('What `lipik worker` does: cut files into chunks, or transcribe chunks.', 'chunk', [
    'file',
    'chunk',
  ]),
  EMBEDDED_WORKERS: flag('`lipik serve` also runs workers of both modes.', true),
  FILE_WORKER_CONCURRENCY: integer('Files cut at the same time by one worker.', 1, { min: 1, max: 100 }),
  CHUNK_WORKER_CONCURRENCY: integer('Chunks transcribed at the same time by one worker.', 2, { min: 1, max: 1_000 }),
  INFERENCE_BATCH_SIZE: integer('Most chunks recognised as one batch; 1 recognises each on its own.', 4, {
    min: 1,
    max: 256,
  }),
  INFERENCE_BATCH_WAIT_MS: integer('Longest wait for such a batch to fill.', 50, { min: 0, unit: 'milliseconds' }),
  SAVE_AUDIO_DATA: flag('Keeps each chunk and what the engine made of it, for `lipik replay`.', true),
}

export const retrySettings = {
  CHUNK_MAX_RETRIES: integer('Times a chunk is tried again.', 3, { min: 0, max: 100 }),
  CHUNK_RETRY_INTERVALS: seconds('Waits between those tries; the last is repeated.', '5,15,45'),
  FILE_MAX_RETRIES: integer('Times a file is tried again.', 3, { min: 0, max: 100 }),
  FILE_RETRY_INTERVALS: seconds('Waits between those tries; the last is repeated.', '5,15,45'),
  SEPARATE_RETRY_QUEUES: flag('Retries wait on queues of their own, read only when there is no fresh work.', false),
  CHUNK_MAX_RETRIES_SEPARATE: integer('Times a job is tried again in that mode.', 3, { min: 0, max: 100 }),
  CHUNK_RETRY_INTERVALS_SEPARATE: seconds('Waits between tries in that mode; the last is repeated.', '30,60,120'),
}
