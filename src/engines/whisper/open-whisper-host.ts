import { availableParallelism } from 'node:os'
import { childEntry } from '../host/child-entry.ts'
import { createEngineHost, type EngineHost } from '../host/engine-host.ts'
import type { WhisperAnswer, WhisperRequest, WhisperSettings } from './whisper-messages.ts'
import type { WhisperOptions } from './whisper-recognizer.ts'

/** The allocator keeps freed large blocks: without, each step maps and clears its memory anew and takes twice as long. */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '1073741824', MALLOC_TRIM_THRESHOLD_: '1073741824', MALLOC_ARENA_MAX: '1' }

export function openWhisperHost(options: WhisperOptions): EngineHost<WhisperRequest, WhisperAnswer> {
  const { folder, threads = availableParallelism(), scripts = ['Latin', 'Devanagari'] } = options
  const { withTimestamps = false, hasGuards = true } = options
  const settings: WhisperSettings = { folder, threads, scripts, withTimestamps, hasGuards }
  return createEngineHost<WhisperRequest, WhisperAnswer>({
    name: options.name ?? 'whisper',
    entry: childEntry(import.meta.url, './whisper-child'),
    settings,
    limits: { requestTimeoutMs: 600_000, ...options.limits },
    env: ALLOCATOR,
  })
}
