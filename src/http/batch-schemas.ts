import { z } from 'zod'
import { JOB_STATUSES } from '../batches/job-state.ts'
import { SCRIPTS } from '../speech/language.ts'

const COUNT = z.number().int().min(0)
const STATUS = z.enum(JOB_STATUSES)
const BATCH_STATUS = z.enum(['queued', 'processing', 'completed', 'partial', 'failed'])
/** A query knows only strings; what is meant, and described, is a boolean. */
const FLAG = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).meta({ type: 'boolean' })

export const BATCH_PARAMS = z.object({ batch_id: z.string() })
export const FILE_PARAMS = z.object({ file_id: z.string() })

export const SUBMISSION = z.object({
  batch_upload_id: z.string().optional().describe('All completed files of that upload.'),
  file_ids: z.array(z.string()).optional().describe('Completed files, of any upload.'),
  sources: z
    .array(
      z.object({
        gcs_key: z.string().optional().describe("Storage key of one of the caller's objects."),
        url: z.string().optional().describe('Address to fetch the audio from.'),
        filename: z.string().max(255).optional(),
      }),
    )
    .optional()
    .describe('Each has either gcs_key or url.'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional()
    .describe('Spoken language of every file; left out: decided from the audio.'),
  script: z.enum(SCRIPTS).default('native').describe('Letters the transcript is written in.'),
  tags: z.boolean().default(true).describe('Whether tags such as [laughing] and [pause] stand in the text.'),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Told when the batch has ended; see docs/webhooks.md.'),
  webhook_secret: z
    .string()
    .min(16)
    .max(256)
    .optional()
    .describe('What the webhook is signed with; left out: made, and given in the answer.'),
})

export const SUBMITTED = z.object({
  batch_id: z.string(),
  total_jobs: COUNT,
  estimated_audio_seconds: z.number(),
  estimated_completion_seconds: z.number(),
  webhook_secret: z.string().optional().describe('Only with webhook_url.'),
  jobs: z
    .array(z.object({ file_id: z.string(), filename: z.string(), batch_id: z.string(), status: z.literal('queued') }))
    .readonly(),
})

export const PROGRESS = z.object({
  batch_id: z.string(),
  total_files: COUNT,
  files_completed: COUNT.describe('Completed and partial files.'),
  files_failed: COUNT,
  estimated_audio_seconds: z.number(),
  estimated_completion_seconds: z.number(),
  status: BATCH_STATUS,
  created_at: z.string(),
  finished_at: z.string().nullable(),
  total_jobs: COUNT.optional().describe('This and the following: only in development mode.'),
  completed_jobs: COUNT.optional(),
  failed_jobs: COUNT.optional(),
  processing_jobs: COUNT.optional(),
  queued_jobs: COUNT.optional(),
  files_processing: COUNT.optional(),
})

export const BATCHES_QUERY = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  status: BATCH_STATUS.optional(),
  search: z.string().min(1).max(200).optional().describe("Part of a file's name, or the beginning of the batch's id."),
  as_of: z.uuid().toLowerCase().optional().describe('`as_of` of the first page: later batches are left out.'),
})

export const BATCHES_PAGE = z.object({
  page: COUNT,
  limit: COUNT,
  total_pages: COUNT,
  total_batches: COUNT,
  count: COUNT,
  as_of: z.string().optional().describe('Newest batch of the list; pass it on to keep pages from shifting.'),
  batches: z.array(PROGRESS.extend({ first_filename: z.string().nullable() })).readonly(),
})

export const WAIT_QUERY = z.object({
  wait: z.coerce.number().min(0).max(60).default(0).describe('Seconds to wait for a change.'),
})

const TIMES = { start: z.number(), end: z.number() }
const SEGMENT = z
  .looseObject({
    ...TIMES,
    text: z.string(),
    language: z.string(),
    confidence: z.number(),
    speaker_id: z.string().nullable(),
    speaker_confidence: z.number().nullable(),
    tone: z.string().nullable(),
    tone_confidence: z.number().nullable(),
    accent: z.string().nullable(),
    accent_confidence: z.number().nullable(),
    tags: z.array(z.string()).readonly(),
    tag_times: z.array(z.looseObject({ ...TIMES, tag: z.string(), confidence: z.number() })).readonly(),
    words: z.array(z.looseObject({ ...TIMES, word: z.string() })).readonly(),
  })
  .describe('A stretch of speech, with speaker, tone, accent, tags and words.')
const TRANSCRIPT = z.object({
  text: z.string(),
  language: z.string().nullable(),
  languages: z.array(z.string()).readonly(),
  duration_seconds: z.number(),
  segments: z.array(SEGMENT).readonly().optional().describe('Only with speech_information=true.'),
})
const FAULT = z.object({ code: z.string(), message: z.string() })

export const FILE_RESULT = z.object({
  file_id: z.string(),
  filename: z.string(),
  status: STATUS,
  batch_id: z.string(),
  result: TRANSCRIPT.optional(),
  errors: z
    .array(FAULT.extend({ chunk_index: z.number().int().nullable(), attempts: COUNT }))
    .readonly()
    .optional(),
  chunk_results: z
    .array(z.looseObject({ chunk_id: z.string(), chunk_index: COUNT, status: STATUS }))
    .readonly()
    .optional()
    .describe('Only with chunks=true.'),
  total_chunks: COUNT.optional().describe('This and the following: only in development mode.'),
  completed_chunks: COUNT.optional(),
  failed_chunks: COUNT.optional(),
})

const RAW_JOB = z.object({
  job_id: z.string(),
  kind: z.enum(['file', 'chunk']),
  file_id: z.string(),
  batch_id: z.string(),
  chunk_index: z.number().int().nullable(),
  status: STATUS,
  attempts: COUNT,
  error: FAULT.nullable(),
  result: z.looseObject({ text: z.string() }).nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})

const PAGE = z.object({ batch_id: z.string(), page: COUNT, limit: COUNT, total_pages: COUNT, count: COUNT })
export const RESULTS_PAGE = z.union([
  PAGE.extend({ total_files: COUNT, files: z.array(FILE_RESULT).readonly() }),
  PAGE.extend({ total_jobs: COUNT, jobs: z.array(RAW_JOB).readonly() }).describe('With raw=true.'),
])

const SHOW = {
  chunks: FLAG.default(false).describe('Chunk results inline.'),
  speech_information: FLAG.default(false).describe('Segments with speaker, tone, accent and words.'),
}
const SCRIPT = z.enum(SCRIPTS).optional().describe('Letters to write it in; left out: as the batch asked for.')
export const SCRIPT_QUERY = z.object({ script: SCRIPT })
export const FILE_QUERY = z.object({ ...SHOW, script: SCRIPT })
export const RESULTS_QUERY = z.object({
  ...SHOW,
  status: STATUS.optional(),
  page: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  raw: FLAG.default(false).describe('Job records instead of merged files.'),
})
export const DOWNLOAD_QUERY = z.object({
  ...SHOW,
  status: STATUS.optional(),
  format: z.enum(['ndjson', 'json']).default('ndjson'),
  raw: FLAG.default(false).describe('Job records instead of merged files.'),
})

export const MISSING = z.object({ error: z.string() })
export const CHANGED = z.object({ batch_id: z.string(), files: COUNT.describe('How many files this was done to.') })
