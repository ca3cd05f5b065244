import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AudioBlock } from '../src/audio/audio-block.ts'
import { parseWav } from '../src/audio/wav.ts'
import { createSileroVoiceDetector } from '../src/engines/silero/silero-voice-detector.ts'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { ensureModels } from '../src/models/ensure-models.ts'
import { splitFile } from '../src/transcription/split-file.ts'

/** `tsx bench/cutting.ts [minutes]`: how fast a long recording is cut with the real detector, and in how much memory. */
const minutes = Number(process.argv[2] ?? 30)
const BLOCK_SAMPLES = 32_000
const CLIPS = ['hi-bank', 'en-office', 'hi-rain', 'mixed-order', 'en-train', 'hi-shop']

async function readClip(name: string): Promise<Float32Array> {
  return parseWav(await readFile(fileURLToPath(new URL(`../test/fixtures/${name}.wav`, import.meta.url))))
}

async function* talk(clips: readonly Float32Array[]): AsyncGenerator<AudioBlock> {
  const loop = Float32Array.from(clips.flatMap((clip, at) => [...clip, ...new Float32Array(8_000 * (at + 1))]))
  for (let block = 0; block < minutes * 30; block++) {
    const start = block * BLOCK_SAMPLES
    yield { samples: Float32Array.from({ length: BLOCK_SAMPLES }, (_, at) => loop[(start + at) % loop.length] ?? 0) }
  }
}

const dir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
const models = await ensureModels(['silero-vad-v6'], { dir })
const [model = ''] = Object.values(models['silero-vad-v6']?.files ?? {})
const detector = createSileroVoiceDetector({ model })
const clips = await Promise.all(CLIPS.map(readClip))
const started = performance.now()
const split = splitFile(detector, talk(clips))
let [chunks, spokenMs, peakBytes] = [0, 0, 0]
for await (const chunk of split) {
  chunks++
  spokenMs += chunk.endMs - chunk.startMs
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
}
const seconds = (performance.now() - started) / 1000
await detector.close()
console.log(
  JSON.stringify({
    name: 'cutting',
    value: Math.round(split.durationMs / 1000 / seconds),
    unit: 'times real time',
    baseline: 1,
    chunks,
    meanChunkSeconds: Math.round(spokenMs / chunks / 100) / 10,
    peakMb: Math.round(peakBytes / 1e6),
  }),
)
