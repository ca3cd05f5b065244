import { describe, expect, it } from 'vitest'
import { SampleWindow } from '../../src/transcription/sample-window.ts'

const MS = 16
/** A block whose samples say at which millisecond of the recording they are; `side` tells every 20 ms apart. */
const block = (startMs: number, lengthMs: number, isStereo = true) => ({
  samples: Float32Array.from({ length: lengthMs * MS }, (_, i) => startMs + Math.floor(i / MS)),
  ...(isStereo && { balance: Float32Array.from({ length: lengthMs / 20 }, (_, i) => startMs / 20 + i) }),
})

function filled(): SampleWindow {
  const window = new SampleWindow()
  for (const [startMs, lengthMs] of [
    [0, 100],
    [100, 200],
    [300, 100],
  ] as const)
    window.push(block(startMs, lengthMs))
  return window
}

describe('the last stretch of a recording', () => {
  it('gives the samples between two times, across blocks', () => {
    const cut = filled().samples(90, 310)
    expect([cut.length, cut[0], cut.at(-1)]).toEqual([220 * MS, 90, 309])
    expect(new Set(cut).size).toBe(220)
  })

  it('ends where the recording does', () => {
    const window = filled()
    expect([window.endMs, window.samples(390, 500).length]).toEqual([400, 10 * MS])
  })

  it('gives the side of every 20 ms, across blocks', () => {
    expect([...(filled().balance(90, 310) ?? [])]).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  })

  it('forgets blocks that end before a time, and no more, without moving the others', () => {
    const window = filled()
    window.dropBefore(299)
    expect(window.samples(120, 130)[0]).toBe(120)
    window.dropBefore(300)
    expect([window.samples(310, 320)[0], window.balance(310, 320)?.[0]]).toEqual([310, 15])
    expect(window.samples(120, 130).every((sample) => sample === 0)).toBe(true)
  })

  it('has no sides where a block has one channel', () => {
    const window = new SampleWindow()
    window.push(block(0, 100))
    window.push(block(100, 100, false))
    expect(window.balance(0, 200)).toBeUndefined()
  })
})
