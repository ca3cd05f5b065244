import type { Operations } from './api-types.ts'

/* Names for parts of the description that a program handles by themselves. */

export type AcceptedUpload = Operations['uploadFiles']['answer']
export type UploadStatus = Operations['getUpload']['answer']
export type FilesPage = Operations['listFiles']['answer']
export type ListFilesQuery = Operations['listFiles']['query']
export type StoredFile = FilesPage['files'][number]
export type DeletedFiles = Operations['deleteFiles']['answer']

export type Submission = Operations['submitBatch']['body']
export type SubmittedBatch = Operations['submitBatch']['answer']
export type BatchProgress = Operations['getBatchStatus']['answer']
export type ChangedBatch = Operations['cancelBatch']['answer']

export type BatchesPage = Operations['listBatches']['answer']
export type ListBatchesQuery = Operations['listBatches']['query']
export type ListedBatch = BatchesPage['batches'][number]

export type FileResult = Operations['getFileResult']['answer']
export type Transcript = NonNullable<FileResult['result']>
export type Segment = NonNullable<Transcript['segments']>[number]
export type Word = Segment['words'][number]
export type FileFault = NonNullable<FileResult['errors']>[number]
export type ShowQuery = Operations['getFileResult']['query']
export type ResultsQuery = Omit<Operations['getBatchResults']['query'], 'raw'>
type AnyResultsPage = Operations['getBatchResults']['answer']
export type ResultsPage = Extract<AnyResultsPage, { readonly total_files: number }>
export type JobsPage = Extract<AnyResultsPage, { readonly total_jobs: number }>
export type JobRecord = JobsPage['jobs'][number]
export type DownloadQuery = Omit<Operations['downloadBatch']['query'], 'raw' | 'format'>
export type Script = NonNullable<ShowQuery['script']>
export type Voice = Operations['listVoices']['answer']['voices'][number]
export type TranscriptFormat = 'srt' | 'vtt' | 'txt'
