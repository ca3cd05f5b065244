/**
 * File jobs and chunk jobs live by the same moves. A job waits (`queued`), is worked on (`processing`), perhaps waits again
 * after a fault (`retrying`), and ends once (`completed`, `partial`, `failed`). Only a person's `retry` leaves an end.
 *
 * `claim` is allowed from `processing` too: a file is claimed once to be cut and once more to be merged, and a second claim of a
 * chunk means that its first worker was lost. The fence number, one higher with every claim, tells the two apart.
 */
const MOVES = {
  claim: { from: ['queued', 'retrying', 'processing'], to: 'processing' },
  handBack: { from: ['processing'], to: 'queued' },
  retryLater: { from: ['processing'], to: 'retrying' },
  complete: { from: ['processing'], to: 'completed' },
  completeInPart: { from: ['processing'], to: 'partial' },
  fail: { from: ['processing'], to: 'failed' },
  cancel: { from: ['queued', 'retrying', 'processing'], to: 'failed' },
  retry: { from: ['failed', 'partial'], to: 'queued' },
} as const

export const JOB_STATUSES = ['queued', 'processing', 'retrying', 'completed', 'partial', 'failed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
export type JobMove = keyof typeof MOVES
export type Move = { readonly from: readonly JobStatus[]; readonly to: JobStatus }

export const move = (name: JobMove): Move => MOVES[name]

export const UNFINISHED: readonly JobStatus[] = MOVES.cancel.from

export type BatchStatus = 'queued' | 'processing' | 'completed' | 'partial' | 'failed'

export type FileCounts = {
  readonly total: number
  readonly completed: number
  readonly partial: number
  readonly failed: number
  readonly started: boolean
}

/** A batch has no state of its own: its files say what it is. */
export function batchStatus({ total, completed, partial, failed, started }: FileCounts): BatchStatus {
  if (completed + partial + failed < total) return started ? 'processing' : 'queued'
  if (total > 0 && failed === total) return 'failed'
  return failed + partial > 0 ? 'partial' : 'completed'
}

export type FileOutcome = Extract<JobMove, 'complete' | 'completeInPart' | 'fail'>

/** What its chunks make of a file. Nothing to merge is a failure; no speech at all is not. */
export function fileOutcome(counts: { readonly done: number; readonly failed: number }): FileOutcome {
  if (counts.failed === 0) return 'complete'
  return counts.done > 0 ? 'completeInPart' : 'fail'
}
