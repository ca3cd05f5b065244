import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AudioBlock } from '../../src/audio/audio-block.ts'
import { decodeAudio } from '../../src/audio/decode.ts'
import type { Ffmpeg } from '../../src/audio/ffmpeg.ts'
import { findFfmpeg } from '../../src/audio/find-ffmpeg.ts'
import { encodeWav, parseWav } from '../../src/audio/wav.ts'
import { createSileroVoiceDetector } from '../../src/engines/silero/silero-voice-detector.ts'
import type { VoiceDetector } from '../../src/speech/ports.ts'
import { type SpeechChunk, splitFile } from '../../src/transcription/split-file.ts'
import { testModel } from '../support/models.ts'
import { randomNumbers } from '../support/random-bytes.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const CLIPS = ['hi-bank', 'en-office', 'hi-rain', 'mixed-order', 'en-train', 'hi-shop']
const GAP_MS = 4_000

let folder: TemporaryFolder
let ffmpeg: Ffmpeg
let detector: VoiceDetector

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  ffmpeg = await findFfmpeg()
  const { files } = await testModel('silero-vad-v6')
  detector = createSileroVoiceDetector({ model: Object.values(files)[0] ?? '' })
})
afterAll(async () => {
  await detector?.close()
  await ffmpeg?.close()
  await folder?.remove()
})

async function readClip(name: string): Promise<Float32Array> {
  const path = fileURLToPath(new URL(`../fixtures/${name}.wav`, import.meta.url))
  return parseWav(await readFile(path))
}

async function collect(blocks: AsyncIterable<AudioBlock>): Promise<SpeechChunk[]> {
  const chunks: SpeechChunk[] = []
  for await (const chunk of splitFile(detector, blocks)) chunks.push(chunk)
  return chunks
}

async function* inBlocks(samples: Float32Array): AsyncGenerator<AudioBlock> {
  for (let at = 0; at < samples.length; at += 32_000) yield { samples: samples.subarray(at, at + 32_000) }
}

describe('splitting real speech', () => {
  it('finds each clip where it stands in a longer file', async () => {
    const placed: { startMs: number; endMs: number }[] = []
    const parts: Float32Array[] = []
    let atMs = 0
    for (const name of CLIPS) {
      const clip = await readClip(name)
      parts.push(new Float32Array(GAP_MS * 16), clip)
      placed.push({ startMs: atMs + GAP_MS, endMs: atMs + GAP_MS + clip.length / 16 })
      atMs += GAP_MS + clip.length / 16
    }
    const path = join(folder.path, 'joined.wav')
    await writeFile(path, encodeWav(Float32Array.from(parts.flatMap((part) => [...part]))))
    const deps = { ffmpeg, limits: { maxSeconds: 600, maxBytes: 1e9 }, spoolDir: folder.path }
    const chunks = await collect(decodeAudio(deps, path))
    for (const { startMs, endMs } of placed) {
      const inside = chunks.filter((chunk) => chunk.startMs < endMs && chunk.endMs > startMs)
      expect(inside.length).toBeGreaterThanOrEqual(1)
      expect(Math.min(...inside.map((chunk) => chunk.startMs))).toBeGreaterThanOrEqual(startMs - 250)
      expect(Math.max(...inside.map((chunk) => chunk.endMs))).toBeLessThanOrEqual(endMs + 600)
    }
    const spokenMs = chunks.reduce((sum, chunk) => sum + chunk.endMs - chunk.startMs, 0)
    expect(spokenMs).toBeGreaterThan(0.7 * placed.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0))
  })

  it('finds no speech in silence, noise and tones', async () => {
    const random = randomNumbers(7)
    const noise = Float32Array.from({ length: 16_000 * 30 }, () => 0.2 * (random(2_000) / 1_000 - 1))
    const tones = Float32Array.from(
      { length: 16_000 * 30 },
      (_, at) => 0.3 * Math.sin(at * (0.05 + 0.02 * Math.floor((at / 8_000) % 7))),
    )
    expect(await collect(inBlocks(new Float32Array(16_000 * 30)))).toEqual([])
    expect(await collect(inBlocks(noise))).toEqual([])
    expect(await collect(inBlocks(tones))).toEqual([])
  })

  it('cuts speech that never pauses into chunks that hear every second of it', async () => {
    const clip = await readClip('hi-bank')
    const [first] = await collect(inBlocks(clip))
    const talk = first?.samples ?? clip
    const length = Math.ceil((100 * 16_000) / talk.length) * talk.length
    const endless = Float32Array.from({ length }, (_, at) => talk[at % talk.length] ?? 0)
    const chunks = await collect(inBlocks(endless))
    expect(chunks.length).toBeGreaterThanOrEqual(4)
    for (const [at, chunk] of chunks.entries()) {
      expect(chunk.endMs - chunk.startMs).toBeLessThanOrEqual(28_000)
      const before = chunks[at - 1]
      if (before) expect(chunk.startMs - before.endMs).toBeLessThanOrEqual(500)
    }
  })
})
