import type { Samples } from '../speech/ports.ts'

/** Consecutive sound, mono. */
export type AudioBlock = {
  readonly samples: Samples
  /**
   * Of a two-channel recording: which side each 20 ms came from, -1 left to 1 right, 0 both alike or silence.
   * Telephone calls often keep one speaker on each side. Absent for one channel.
   */
  readonly balance?: Float32Array
}

export const BALANCE_WINDOW_MS = 20
