/** The names a file or chunk job waits under, and beside them the chores of the pipeline. */
export const QUEUES = {
  file: 'asr_file_queue',
  chunk: 'asr_job_queue',
  fileRetry: 'file_retry_queue',
  chunkRetry: 'job_retry_queue',
  deleteObjects: 'delete_objects',
  webhook: 'webhook_queue',
} as const
export type QueueName = (typeof QUEUES)[keyof typeof QUEUES]

/** Lower runs first. Ending a file frees what it holds; what has waited already waits behind what is fresh. */
export const PRIORITY = { merge: 0, fresh: 10, retry: 20, chore: 30 } as const

export const jobKey = (jobId: string): string => `job:${jobId}`
