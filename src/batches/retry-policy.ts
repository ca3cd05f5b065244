import { isRetryable } from '../platform/errors.ts'
import { QUEUES, type QueueName } from './queues.ts'

export type JobKind = 'file' | 'chunk'
export type RetryRule = { readonly maxRetries: number; readonly intervalsSeconds: readonly number[] }

export type RetrySettings = {
  /** Retries wait on queues of their own, read only when the primary queue is empty. */
  readonly separateQueues: boolean
  readonly file: RetryRule
  readonly chunk: RetryRule
  /** The one rule of separate mode, for both kinds. */
  readonly separate: RetryRule
}

export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly delaySeconds: number; readonly queue: QueueName }

/** `attempts`: how often the job was begun, this time included. */
export function decideRetry(settings: RetrySettings, kind: JobKind, attempts: number, error: unknown): RetryDecision {
  const { maxRetries, intervalsSeconds } = ruleOf(settings, kind)
  if (!isRetryable(error) || attempts > maxRetries) return { retry: false }
  const delaySeconds = intervalsSeconds[attempts - 1] ?? intervalsSeconds.at(-1) ?? 0
  return { retry: true, delaySeconds, queue: retryQueue(settings, kind) }
}

/** A job whose worker died has used up that attempt; no error says whether another would help, so one is allowed. */
export const mayRunAgain = (settings: RetrySettings, kind: JobKind, attempts: number): boolean =>
  attempts <= ruleOf(settings, kind).maxRetries

export const ruleOf = (settings: RetrySettings, kind: JobKind): RetryRule =>
  settings.separateQueues ? settings.separate : settings[kind]

function retryQueue({ separateQueues }: RetrySettings, kind: JobKind): QueueName {
  if (!separateQueues) return kind === 'file' ? QUEUES.file : QUEUES.chunk
  return kind === 'file' ? QUEUES.fileRetry : QUEUES.chunkRetry
}
