import { z } from 'zod'

const STATUS = z.enum(['pending', 'uploading', 'completed', 'failed'])
const COUNT = z.number().int().min(0)

const FILE = z.object({
  file_id: z.string(),
  filename: z.string(),
  size_bytes: COUNT,
  estimated_duration_seconds: z.number(),
  upload_status: STATUS,
  batch_upload_id: z.string(),
  content_type: z.string(),
  created_at: z.string().describe('RFC 3339, UTC'),
  gcs_key: z.string().optional().describe('Storage key; only when completed.'),
  error: z.string().optional().describe('Why; only when failed.'),
})

export const ACCEPTED_UPLOAD = z
  .object({
    batch_upload_id: z.string(),
    status: z.literal('accepted'),
    total_files: COUNT,
    spool_seconds: z.number(),
    files: z.array(FILE).readonly(),
  })
  .describe('Every file was received; they go to storage in the background.')

export const UPLOAD_PROGRESS = z.object({
  batch_upload_id: z.string(),
  status: z.enum(['accepted', 'completed', 'failed']),
  total_files: COUNT,
  completed: COUNT,
  failed: COUNT,
  uploading: COUNT,
  pending: COUNT,
  files: z.array(FILE).readonly(),
})

export const FILES_PAGE = z.object({
  page: COUNT,
  limit: COUNT,
  total_pages: COUNT,
  total_files: COUNT,
  count: COUNT,
  as_of: z.string().optional().describe('Newest file of the list; pass it on to keep pages from shifting.'),
  files: z.array(FILE).readonly(),
})

export const DELETE_RESULT = z.object({
  deleted_file_ids: z.array(z.string()).readonly(),
  deleted_count: COUNT,
  storage_objects_deleted: COUNT,
  jobs_cleaned: COUNT,
})

export const LIST_QUERY = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  upload_status: STATUS.optional(),
  as_of: z.uuid().toLowerCase().optional().describe('`as_of` of the first page: later files are left out.'),
})

export const DELETE_BODY = z.object({ file_ids: z.array(z.string().min(1)).min(1).max(1_000) })

export const UPLOAD_PARAMS = z.object({ batch_upload_id: z.string() })

/** Validated as a stream by the room itself; this is what the description shows. */
export const UPLOAD_BODY = z.object({
  files: z
    .array(z.string().meta({ format: 'binary' }))
    .min(1)
    .describe('One part for each audio file.'),
})

export const IDEMPOTENCY_HEADERS = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe('The same key and content within 24 hours gives the first answer again; other content is 409.'),
})
