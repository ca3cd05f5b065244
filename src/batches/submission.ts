import type { FileId } from '../platform/ids.ts'
import type { BatchOptions } from './batch-options.ts'
import type { AudioSource } from './claim-job.ts'

export type SourceItem = {
  readonly gcs_key?: string | undefined
  readonly url?: string | undefined
  readonly filename?: string | undefined
}

export type Submission = {
  readonly batchUploadId?: string | undefined
  readonly fileIds: readonly string[]
  readonly sources: readonly SourceItem[]
  readonly options: BatchOptions
}

/** One file of a batch to be: what it is called, where its audio is, and how long it probably lasts. */
export type BatchInput = {
  readonly fileId: FileId
  readonly filename: string
  readonly source: AudioSource
  readonly audioSeconds: number
}
