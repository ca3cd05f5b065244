import { describe, expect, it } from 'vitest'
import type { AudioBlock } from '../../src/audio/audio-block.ts'
import { type SpeechChunk, splitFile } from '../../src/transcription/split-file.ts'
import { createLoudnessDetector } from '../support/loudness-detector.ts'

const RATE = 16_000
const BLOCK_SAMPLES = 2 * RATE

/** Silence with a tone in each of the spans, in seconds; every sample says where it is, so that cuts can be checked. */
function soundAt(spans: readonly (readonly [number, number])[], index: number): number {
  const second = index / RATE
  return spans.some(([from, to]) => second >= from && second < to) ? 0.5 + 0.3 * Math.sin(index) : 0
}

async function* recording(seconds: number, sampleAt: (index: number) => number, stereo = false) {
  const total = Math.round(seconds * RATE)
  for (let start = 0; start < total; start += BLOCK_SAMPLES) {
    const length = Math.min(BLOCK_SAMPLES, total - start)
    const samples = Float32Array.from({ length }, (_, at) => sampleAt(start + at))
    const windows = Math.ceil(length / 320)
    const balance = Float32Array.from({ length: windows }, (_, at) => (start + at * 320 < 8 * RATE ? -1 : 1))
    const block: AudioBlock = stereo ? { samples, balance } : { samples }
    yield block
  }
}

async function collect(split: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of split) chunks.push(chunk)
  return chunks
}

describe('splitting a file', () => {
  it('gives each chunk the very samples of its place in the file', async () => {
    const spans = [
      [1.23, 5.5],
      [9.01, 30.2],
      [30.9, 41],
      [50, 50.3],
    ] as const
    const sampleAt = (index: number) => soundAt(spans, index)
    const split = splitFile(createLoudnessDetector(), recording(60.01, sampleAt))
    const chunks = await collect(split)
    expect(chunks.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    for (const { startMs, endMs, samples } of chunks) {
      expect(samples.length).toBe((endMs - startMs) * 16)
      expect(samples).toEqual(Float32Array.from(samples, (_, at) => sampleAt(startMs * 16 + at)))
    }
    const starts = chunks.flatMap(({ speechRegions }) => speechRegions.map(([startMs]) => startMs))
    for (const [at, [from]] of spans.entries())
      expect(Math.abs((starts[at] ?? 0) - from * 1000)).toBeLessThanOrEqual(32)
    expect(split.durationMs).toBe(60_010)
  })

  it('judges the last words though they end with the file', async () => {
    const [chunk] = await collect(
      splitFile(
        createLoudnessDetector(),
        recording(3.01, () => 0.5),
      ),
    )
    expect(chunk).toMatchObject({ startMs: 0, endMs: 3_010 })
    expect(chunk?.samples.length).toBe(48_160)
  })

  it('tells which side of a telephone call spoke', async () => {
    const split = splitFile(
      createLoudnessDetector(),
      recording(
        16,
        (index) =>
          soundAt(
            [
              [4, 6],
              [11, 13],
            ],
            index,
          ),
        true,
      ),
    )
    const [left, right] = await collect(split)
    expect(left?.channelBalance).toHaveLength(
      Math.ceil((left?.endMs ?? 0) / 20) - Math.floor((left?.startMs ?? 0) / 20),
    )
    expect(new Set(left?.channelBalance)).toEqual(new Set([-1]))
    expect(new Set(right?.channelBalance)).toEqual(new Set([1]))
  })

  it('reads no further than its chunks are taken', async () => {
    let read = 0
    async function* counted() {
      for await (const block of recording(600, (index) =>
        soundAt(
          [
            [1, 3],
            [100, 102],
          ],
          index,
        ),
      )) {
        read++
        yield block
      }
    }
    const chunks = splitFile(createLoudnessDetector(), counted())[Symbol.asyncIterator]()
    await chunks.next()
    expect(read).toBeLessThanOrEqual(4)
    await chunks.return?.()
  })

  it('closes the detector and the source when it is left, cancelled or fails', async () => {
    const detector = createLoudnessDetector()
    let closed = 0
    async function* source() {
      try {
        yield* recording(100, () => 0.5)
      } finally {
        closed++
      }
    }
    for await (const _ of splitFile(detector, source())) break
    const signal = AbortSignal.abort()
    await expect(collect(splitFile(detector, source(), { signal }))).rejects.toMatchObject({ code: 'cancelled' })
    expect([detector.openStreams(), closed]).toEqual([0, 2])
  })

  it('passes ten hours in flat memory', { timeout: 180_000 }, async () => {
    const talk = Float32Array.from({ length: BLOCK_SAMPLES }, (_, at) => 0.3 * Math.sin(at / 10))
    const quiet = new Float32Array(BLOCK_SAMPLES)
    async function* hours() {
      for (let block = 0; block < 18_000; block++) yield { samples: Math.floor(block / 7) % 3 === 0 ? quiet : talk }
    }
    const split = splitFile(createLoudnessDetector(), hours())
    const memory: number[] = []
    let chunks = 0
    for await (const _ of split) if (++chunks % 50 === 0) memory.push(process.memoryUsage().arrayBuffers)
    expect(split.durationMs).toBe(36_000_000)
    expect(chunks).toBeGreaterThan(800)
    // Garbage not collected yet counts here too; keeping the sound itself would take 2,300 MB.
    expect(Math.max(...memory)).toBeLessThan(300_000_000)
  })
})
