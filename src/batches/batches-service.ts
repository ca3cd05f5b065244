import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { answerOnce, type OnceAnswer } from '../platform/answer-once.ts'
import type { Database } from '../platform/database/schema.ts'
import { transact } from '../platform/database/transact.ts'
import { type BatchId, isUuid, type UserId } from '../platform/ids.ts'
import type { BlobStore } from '../platform/storage/blob-store.ts'
import type { Script } from '../speech/language.ts'
import type { Segment } from '../speech/transcript.ts'
import { segmentInScript } from '../transcription/script/write-in-script.ts'
import { type Page, type PageQuery, readFilePage } from './batch-results.ts'
import { cancelBatch } from './cancel-batch.ts'
import { deleteBatch } from './delete-batch.ts'
import { asJson, countExport, exportFiles, exportJobs, NDJSON, writeExport } from './export-batch.ts'
import { type FileResult, newestOf, readFileResult, type Shown } from './file-results.ts'
import type { JobStatus } from './job-state.ts'
import { type BatchesPage, type BatchListQuery, listBatches } from './list-batches.ts'
import { findOwnBatch, type OwnBatch } from './own-batch.ts'
import { type BatchProgress, readProgress } from './progress.ts'
import { type RawJob, readJobPage } from './raw-jobs.ts'
import { retryBatch } from './retry-batch.ts'
import type { Submission } from './submission.ts'
import { type SubmitSettings, submitBatch } from './submit-batch.ts'

export type BatchesOptions = {
  readonly db: Kysely<Database>
  readonly blobs: BlobStore
  readonly submit: SubmitSettings
  /** Shows counts of jobs and chunks. */
  readonly development: boolean
  readonly keepObjects: boolean
}

export type SubmissionAnswer = {
  readonly batch_id: string
  readonly total_jobs: number
  readonly estimated_audio_seconds: number
  readonly estimated_completion_seconds: number
  readonly webhook_secret?: string
  readonly jobs: readonly {
    readonly file_id: string
    readonly filename: string
    readonly batch_id: string
    readonly status: 'queued'
  }[]
}

export type BatchesService = ReturnType<typeof createBatches>

/** What the front doors ask of batches. Undefined always means: there is none of this id that is the caller's. */
export function createBatches(options: BatchesOptions) {
  const { db, development } = options
  const shown = (query: { chunks: boolean; speech: boolean }): Shown => ({ ...query, counts: development })
  const progress = { development, silentSeconds: options.submit.silentSeconds }
  return {
    submit: (user: UserId, submission: Submission, key: string | undefined) => submit(options, user, submission, key),
    progress: (user: UserId, id: string): Promise<BatchProgress | undefined> => readProgress(db, progress, user, id),
    list: (user: UserId, query: BatchListQuery): Promise<BatchesPage> =>
      listBatches(db, progress.silentSeconds, user, query),
    find: (user: UserId, id: string): Promise<OwnBatch | undefined> => findOwnBatch(db, user, id),
    files: (batch: OwnBatch, query: PageQuery, show: { chunks: boolean; speech: boolean }): Promise<Page<FileResult>> =>
      readFilePage(db, batch, query, shown(show)),
    jobs: (batch: OwnBatch, query: PageQuery, show: { speech: boolean }): Promise<Page<RawJob>> =>
      readJobPage(db, batch, query, show.speech),
    file: (user: UserId, id: string, { script, ...show }: FileQuery): Promise<FileResult | undefined> =>
      readFileResult(db, user, id, { ...shown(show), script }),
    segments: async (user: UserId, fileId: string, script: Script = 'native'): Promise<Segment[] | undefined> =>
      (await newestOf(db, user, fileId, true))?.result?.segments?.map((each) => segmentInScript(each, script)),
    cancel: async (user: UserId, id: string): Promise<number | undefined> =>
      isUuid(id) ? cancelBatch(db, user, id as BatchId, options) : undefined,
    retry: async (user: UserId, id: string): Promise<number | undefined> =>
      isUuid(id) ? retryBatch(db, user, id as BatchId) : undefined,
    delete: async (user: UserId, id: string): Promise<number | undefined> =>
      isUuid(id) ? deleteBatch(db, user, id as BatchId, options) : undefined,
    download: (batch: OwnBatch, query: ExportQuery): Promise<AsyncIterable<string>> =>
      download(db, batch, query, shown(query)),
  }
}

export type FileQuery = { readonly chunks: boolean; readonly speech: boolean; readonly script?: Script | undefined }

export type ExportQuery = {
  readonly format: 'ndjson' | 'json'
  readonly raw: boolean
  readonly status: JobStatus | undefined
  readonly chunks: boolean
  readonly speech: boolean
}

async function download(
  db: Kysely<Database>,
  batch: OwnBatch,
  { format, raw, status }: ExportQuery,
  shown: Shown,
): Promise<AsyncIterable<string>> {
  const rows = raw ? exportJobs(db, batch, status, shown.speech) : exportFiles(db, batch, status, shown)
  if (format === 'ndjson') return writeExport(rows, NDJSON)
  const total = await countExport(db, batch, status, raw)
  const envelope = { batch_id: batch.id, [raw ? 'total_jobs' : 'total_files']: total }
  return writeExport(rows, asJson(envelope, raw ? 'jobs' : 'files'))
}

async function submit(
  { db, blobs, submit: settings }: BatchesOptions,
  user: UserId,
  submission: Submission,
  key: string | undefined,
): Promise<OnceAnswer<SubmissionAnswer>> {
  const { webhook } = submission.options
  // A secret we made ourselves differs each time and is no part of what was asked for.
  const asked = { ...submission, options: { ...submission.options, webhook: webhook?.url } }
  const fingerprint = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  return transact(db, (trx) =>
    answerOnce(trx, { user, scope: 'batch', key, fingerprint }, async () => {
      const { batchId, files, ...estimates } = await submitBatch(trx, blobs, settings, user, submission)
      return {
        batch_id: batchId,
        total_jobs: files.length,
        estimated_audio_seconds: round(estimates.audioSeconds),
        estimated_completion_seconds: round(estimates.completionSeconds),
        ...(webhook ? { webhook_secret: webhook.secret } : {}),
        jobs: files.map(({ fileId, filename }) => ({
          file_id: fileId,
          filename,
          batch_id: batchId,
          status: 'queued' as const,
        })),
      }
    }),
  )
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000
