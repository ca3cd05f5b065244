/**
 * Speaks the test clips with the product's own voices: `npx tsx scripts/make-fixtures.ts [FOLDER]`. The result differs a
 * little between processors, so it is made once and kept in the repository.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resample } from '../src/audio/resampler.ts'
import { encodeWav } from '../src/audio/wav.ts'
import { openSynthesizer } from '../src/main/open-synthesizer.ts'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { SAMPLE_RATE_HZ, type Samples, type Synthesizer } from '../src/speech/ports.ts'
import { CLIPS, CONVERSATION, type FixtureLine } from './fixture-lines.ts'
import { joinSounds, trimSilence } from './shape-sound.ts'

const folder = process.argv[2] ?? 'test/fixtures'
const HUSH_MS = 250
const TAIL_MS = 900

const seconds = (samples: number) => (samples / SAMPLE_RATE_HZ).toFixed(3)
const silence = (ms: number): Samples => new Float32Array((ms * SAMPLE_RATE_HZ) / 1_000)

async function speak(synthesizer: Synthesizer, { text, voice }: FixtureLine): Promise<Samples> {
  const pieces: Samples[] = []
  for await (const sound of synthesizer.synthesize({ text, voice })) {
    pieces.push(resample(sound.samples, sound.sampleRateHz, SAMPLE_RATE_HZ))
  }
  console.error(`${voice}: ${text}`)
  return trimSilence(joinSounds(pieces))
}

async function makeClips(synthesizer: Synthesizer): Promise<string[]> {
  const rows: string[] = []
  for (const clip of CLIPS) {
    const samples = joinSounds([silence(HUSH_MS), await speak(synthesizer, clip), silence(HUSH_MS)])
    await writeFile(join(folder, clip.file), encodeWav(samples))
    rows.push([clip.file, clip.language, seconds(samples.length), clip.text, clip.voice].join('\t'))
  }
  return rows
}

async function makeConversation(synthesizer: Synthesizer): Promise<{ row: string; turns: string[] }> {
  const parts: Samples[] = []
  const turns: string[] = []
  let at = 0
  const add = (samples: Samples) => {
    parts.push(samples)
    at += samples.length
  }
  for (const turn of CONVERSATION) {
    add(silence(turn.gapMs))
    const start = seconds(at)
    add(await speak(synthesizer, turn))
    turns.push(['hi-call.wav', start, seconds(at), turn.voice, turn.text].join('\t'))
  }
  add(silence(TAIL_MS))
  await writeFile(join(folder, 'hi-call.wav'), encodeWav(joinSounds(parts)))
  const text = CONVERSATION.map((turn) => turn.text).join(' ')
  return { row: ['hi-call.wav', 'hi', seconds(at), text, 'ananya+arjun'].join('\t'), turns }
}

await mkdir(folder, { recursive: true })
const synthesizer = await openSynthesizer({ dir: process.env.MODELS_DIR ?? defaultModelsDir(process.env) })
try {
  const clips = await makeClips(synthesizer)
  const call = await makeConversation(synthesizer)
  const manifest = ['file\tlanguage\tduration_s\ttranscript\tvoice', ...clips, call.row]
  await writeFile(join(folder, 'manifest.tsv'), `${manifest.join('\n')}\n`)
  const turns = ['file\tstart_s\tend_s\tvoice\ttranscript', ...call.turns]
  await writeFile(join(folder, 'turns.tsv'), `${turns.join('\n')}\n`)
} finally {
  await synthesizer.close()
}
