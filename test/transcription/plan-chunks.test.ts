import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ChunkPlanner,
  DEFAULT_PLAN,
  type PlannedChunk,
  type PlanSettings,
  VOICE_WINDOW_MS,
} from '../../src/transcription/plan-chunks.ts'

type Stretch = { readonly seconds: number; readonly voice: number; readonly energy?: number }

const speech = (seconds: number): Stretch => ({ seconds, voice: 0.95 })
const silence = (seconds: number): Stretch => ({ seconds, voice: 0.02 })

const windowsOf = (stretches: readonly Stretch[]) =>
  stretches.flatMap(({ seconds, voice, energy = voice }) =>
    Array.from({ length: Math.round((seconds * 1000) / VOICE_WINDOW_MS) }, () => ({ voice, energy })),
  )

function plan(stretches: readonly Stretch[], settings: PlanSettings = DEFAULT_PLAN): PlannedChunk[] {
  const planner = new ChunkPlanner(settings)
  const windows = windowsOf(stretches)
  const chunks = windows.map(({ voice, energy }) => planner.push(voice, energy))
  return [...chunks, planner.end(windows.length * VOICE_WINDOW_MS)].filter((chunk) => chunk !== undefined)
}

/** Chunks as full as they may be. */
const FULL: PlanSettings = { ...DEFAULT_PLAN, enoughMs: DEFAULT_PLAN.maxChunkMs, maxGapMs: 2_000 }

const near = (ms: number) => ({
  asymmetricMatch: (actual: unknown) => Math.abs(Number(actual) - ms) <= VOICE_WINDOW_MS,
})

describe('planning chunks', () => {
  it('finds no chunk in silence', () => expect(plan([silence(600)])).toEqual([]))

  it('drops the silence around speech, but for a little', () => {
    const [chunk, ...more] = plan([silence(10), speech(4), silence(10)])
    expect(more).toEqual([])
    expect(chunk).toMatchObject({ startMs: near(9_800), endMs: near(14_200), overlapMs: 0 })
    expect(chunk?.speechRegions).toEqual([[near(10_000), near(14_000)]])
  })

  it('keeps a soft beginning, as far as it is one', () => {
    const soft = (seconds: number): Stretch => ({ seconds, voice: 0.2 })
    expect(plan([silence(10), soft(0.2), speech(4), silence(10)])).toMatchObject([{ startMs: near(9_800) }])
    expect(plan([silence(5), soft(5), speech(4), silence(10)])).toMatchObject([{ startMs: near(10_000 - 520) }])
    expect(plan([speech(4), soft(0.4), speech(4)])[1]?.startMs).toBeGreaterThanOrEqual(4_000)
  })

  it('puts speech close together into one chunk, and speech far apart into two', () => {
    expect(plan([speech(3), silence(1.5), speech(3)], FULL)).toHaveLength(1)
    expect(plan([speech(3), silence(2.5), speech(3)], FULL)).toHaveLength(2)
  })

  it('ends a chunk that has enough at the next pause, and lets a short one wait for more', () => {
    expect(plan([speech(4), silence(0.5), speech(4)])).toHaveLength(2)
    expect(plan([speech(1), silence(0.5), speech(4)])).toHaveLength(1)
    expect(plan([speech(1), silence(1), speech(4)])).toHaveLength(2)
  })

  it('begins a new chunk in the silence before speech that does not fit any more', () => {
    const chunks = plan([speech(12), silence(0.5), speech(12), silence(0.5), speech(12)], FULL)
    expect(chunks.map(({ startMs, endMs, overlapMs }) => [startMs, endMs, overlapMs])).toEqual([
      [0, near(24_700), 0],
      [near(24_800), near(37_000), 0],
    ])
  })

  it('does not let two chunks share the short silence between them', () => {
    const [first, second] = plan([speech(14), silence(0.32), speech(20)], FULL)
    expect(first?.endMs).toBe(second?.startMs)
    expect(first?.endMs).toEqual(near(14_160))
  })

  it('hears through a flicker in a word, and not a click', () => {
    expect(plan([speech(1), silence(0.1), speech(1)])[0]?.speechRegions).toHaveLength(1)
    expect(plan([silence(1), speech(0.064), silence(1)])).toEqual([])
  })

  it('keeps what only the lower threshold calls speech, once it has begun', () => {
    const [chunk] = plan([silence(1), { seconds: 1, voice: 0.45 }, speech(1), { seconds: 1, voice: 0.4 }, silence(1)])
    expect(chunk?.speechRegions).toEqual([[near(2_000), near(4_000)]])
  })

  it('cuts endless speech at a breath, without an overlap', () => {
    const [first, second] = plan([speech(25), silence(0.16), speech(20)])
    expect(first).toMatchObject({ startMs: 0, endMs: near(25_080), overlapMs: 0 })
    expect(second).toMatchObject({ startMs: first?.endMs, overlapMs: 0 })
  })

  it('cuts speech without a breath where it is quietest, and lets both sides hear it', () => {
    const [first, second] = plan([speech(24), { seconds: 0.096, voice: 0.95, energy: 0.1 }, speech(20)])
    expect(second?.overlapMs).toBe(1_000)
    expect(first?.endMs).toEqual(near(24_548))
    expect(second?.startMs).toBe((first?.endMs ?? 0) - 1_000)
  })

  it('keeps its promises for any recording', () => {
    const stretch = fc.record({
      seconds: fc.double({ min: 0.03, max: 40, noNaN: true }),
      voice: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 30 }), (stretches) => {
        const chunks = plan(stretches)
        const totalMs = windowsOf(stretches).length * VOICE_WINDOW_MS
        checkOrder(chunks, totalMs)
        checkNothingLost(chunks, stretches)
      }),
      { numRuns: 300 },
    )
  })
})

function checkOrder(chunks: readonly PlannedChunk[], totalMs: number): void {
  let endMs = 0
  for (const chunk of chunks) {
    expect(chunk.endMs - chunk.startMs).toBeLessThanOrEqual(DEFAULT_PLAN.maxChunkMs)
    expect(chunk.endMs).toBeGreaterThan(chunk.startMs)
    expect(chunk.endMs).toBeLessThanOrEqual(totalMs)
    if (chunk.overlapMs > 0) expect(chunk.startMs).toBe(endMs - chunk.overlapMs)
    else expect(chunk.startMs).toBeGreaterThanOrEqual(endMs)
    for (const [from, to] of chunk.speechRegions) {
      expect(to).toBeGreaterThan(from)
      expect(from).toBeGreaterThanOrEqual(chunk.startMs)
      expect(to).toBeLessThanOrEqual(chunk.endMs)
    }
    endMs = chunk.endMs
  }
}

/** Every window of certain speech, in a stretch long enough to be a word, is in some chunk. */
function checkNothingLost(chunks: readonly PlannedChunk[], stretches: readonly Stretch[]): void {
  let startMs = 0
  for (const { seconds, voice } of stretches) {
    const endMs = startMs + Math.round((seconds * 1000) / VOICE_WINDOW_MS) * VOICE_WINDOW_MS
    const isWord = voice >= DEFAULT_PLAN.speechThreshold && endMs - startMs >= DEFAULT_PLAN.minSpeechMs
    for (let ms = startMs; isWord && ms < endMs; ms += VOICE_WINDOW_MS) {
      if (!chunks.some((chunk) => chunk.startMs <= ms && ms + VOICE_WINDOW_MS <= chunk.endMs)) {
        // A cut may run through a window; then its two halves lie on either side of it.
        expect(chunks.some((chunk) => chunk.startMs > ms && chunk.startMs < ms + VOICE_WINDOW_MS)).toBe(true)
      }
    }
    startMs = endMs
  }
}
