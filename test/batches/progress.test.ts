import { describe, expect, it } from 'vitest'
import { packBalance, unpackBalance } from '../../src/batches/channel-balance.ts'
import type { OwnBatch } from '../../src/batches/own-batch.ts'
import { toProgress } from '../../src/batches/progress.ts'
import type { BatchId } from '../../src/platform/ids.ts'

const BATCH: OwnBatch = {
  id: 'a batch' as BatchId, // as the database would give it
  submittedFiles: 10,
  totalFiles: 10,
  completed: 0,
  partial: 0,
  failed: 0,
  audioSeconds: 600,
  createdAt: new Date('2026-01-02T03:04:05Z'),
  finishedAt: null,
  started: true,
}

describe('how far a batch is', () => {
  it.each([
    [{}, 300],
    [{ completed: 5 }, 150],
    [{ completed: 3, partial: 2, failed: 4 }, 30],
    [{ completed: 6, partial: 2, failed: 2 }, 0],
    [{ totalFiles: 0 }, 0],
  ])('%j of ten minutes in ten files, heard twice as fast as spoken: %d s are left', (done, seconds) => {
    expect(toProgress({ ...BATCH, ...done }, 2).estimated_completion_seconds).toBe(seconds)
  })

  it('counts a file of which a part failed as completed, and says what it was asked for', () => {
    expect(toProgress({ ...BATCH, completed: 3, partial: 2, failed: 4 }, 1)).toMatchObject({
      total_files: 10,
      files_completed: 5,
      files_failed: 4,
      status: 'processing',
      created_at: '2026-01-02T03:04:05.000Z',
      finished_at: null,
    })
  })
})

describe('the sides of a call', () => {
  it('come back from the database as they were, to a hundredth', () => {
    const sides = Float32Array.from([-1, -0.97, -0.5, -0.004, 0, 0.01, 0.333, 0.95, 1])
    const back = unpackBalance(new Uint8Array(packBalance(sides)))
    expect(back).toHaveLength(sides.length)
    sides.forEach((side, i) => {
      expect(Math.abs((back[i] ?? 9) - side)).toBeLessThanOrEqual(0.0051)
    })
  })
})
