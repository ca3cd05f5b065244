import { availableParallelism } from 'node:os'
import { childEntry } from '../../platform/child-entry.ts'
import { createEngineHost, type EngineHost, type EngineLimits } from '../host/engine-host.ts'
import type { WritingSystem } from './allowed-tokens.ts'
import type { WhisperAnswer, WhisperRequest, WhisperSettings } from './whisper-messages.ts'

/** The allocator keeps freed large blocks: without, each step maps and clears its memory anew and takes twice as long. */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '1073741824', MALLOC_TRIM_THRESHOLD_: '1073741824', MALLOC_ARENA_MAX: '1' }

export type WhisperHostOptions = {
  /** Folder of a prepared model. */
  readonly folder: string
  readonly name?: string
  readonly threads?: number
  readonly scripts?: readonly WritingSystem[]
  /** Ask the model for segment times; without, a clip is one segment. */
  readonly withTimestamps?: boolean
  /** Languages the model's adapter teaches, in windows cut to the clip; the others go to the model without it, in whole windows. */
  readonly taught?: readonly string[]
  readonly hasGuards?: boolean
  /** Texts of a clip followed side by side; each costs a decode of its own. */
  readonly beams?: number
  readonly limits?: Partial<EngineLimits>
}

export function openWhisperHost(options: WhisperHostOptions): EngineHost<WhisperRequest, WhisperAnswer> {
  const { folder, threads = availableParallelism(), scripts = ['Latin', 'Devanagari'] } = options
  const { withTimestamps = false, taught = [], hasGuards = true, beams = 1 } = options
  const settings: WhisperSettings = { folder, threads, scripts, withTimestamps, taught, hasGuards, beams }
  return createEngineHost<WhisperRequest, WhisperAnswer>({
    name: options.name ?? 'whisper',
    entry: childEntry(import.meta.url, './whisper-child'),
    settings,
    limits: { requestTimeoutMs: 600_000, ...options.limits },
    env: ALLOCATOR,
  })
}
