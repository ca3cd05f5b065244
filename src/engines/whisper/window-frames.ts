import type { Samples } from '../../speech/ports.ts'
import { HOP_SAMPLES } from './log-mel.ts'

/** The model was taught to expect a second of silence behind a clip; cut tighter it loses words. */
const TAIL_FRAMES = 100
/** Windows come in steps, so that memory sees few different sizes. */
const STEP_FRAMES = 50

export function windowFrames(samples: Samples, maxFrames: number): number {
  const frames = Math.ceil(samples.length / HOP_SAMPLES) + TAIL_FRAMES
  return Math.min(maxFrames, Math.ceil(frames / STEP_FRAMES) * STEP_FRAMES)
}
