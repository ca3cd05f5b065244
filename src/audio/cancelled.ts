import { LipikError } from '../platform/errors.ts'

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new LipikError('cancelled', 'the work on the audio was cancelled', { cause: signal.reason })
}
