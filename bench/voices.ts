import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addErrors, countErrors, type Errors, NO_ERRORS, rates } from '../eval/error-rates.ts'
import { openBaseline } from '../eval/open-baseline.ts'
import { openProduct } from '../eval/open-product.ts'
import type { System } from '../eval/system.ts'
import { Resampler } from '../src/audio/resampler.ts'
import { encodeWav } from '../src/audio/wav.ts'
import { openSynthesizer } from '../src/main/open-synthesizer.ts'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { SAMPLE_RATE_HZ, type Synthesizer } from '../src/speech/ports.ts'
import type { Voice } from '../src/speech/voice.ts'
import { type Bench, type Figure, median, spread } from './support/figure.ts'
import { VOICE_SENTENCES } from './support/voice-sentences.ts'

/** Of the ten that there are in each language. */
const SENTENCES = Number(process.env.BENCH_SENTENCES ?? 10)
/** Silence before and after, as in a recording. */
const MARGIN_SAMPLES = SAMPLE_RATE_HZ / 4

type Spoken = {
  readonly path: string
  readonly text: string
  readonly firstMs: number
  readonly allMs: number
  readonly audioMs: number
}
type Ears = { readonly own: System; readonly tamil: System }

/** Each voice says ten sentences of its own language, and a recogniser hears them: what is lost is the voice's fault, or the recogniser's. */
export const bench: Bench = async (say) => {
  const dir = process.env.MODELS_DIR ?? defaultModelsDir(process.env)
  const folder = await mkdtemp(join(tmpdir(), 'lipik-voices-'))
  const synthesizer = await openSynthesizer({ dir })
  // Our own recogniser writes Hindi and English only; the published Whisper it is made from knows Tamil.
  const ears: Ears = { own: await openProduct(), tamil: await openBaseline(dir) }
  try {
    const figures: Figure[] = []
    await speakAll(synthesizer, 'ananya', ['नमस्ते'], folder)
    for (const voice of synthesizer.voices)
      figures.push(...(await hearVoice(voice, { synthesizer, ears, folder, say })))
    return figures
  } finally {
    await Promise.all([synthesizer.close(), ears.own.close(), ears.tamil.close()])
    await rm(folder, { recursive: true })
  }
}

type Place = { synthesizer: Synthesizer; ears: Ears; folder: string; say: (line: string) => void }

async function hearVoice({ id, language }: Voice, { synthesizer, ears, folder, say }: Place): Promise<Figure[]> {
  const sentences = VOICE_SENTENCES[language === 'hi' || language === 'ta' ? (language === 'hi' ? 'hi' : 'ta') : 'en']
  const spoken = await speakAll(synthesizer, id, sentences.slice(0, SENTENCES), folder)
  const ear = language === 'ta' ? ears.tamil : ears.own
  let errors: Errors = NO_ERRORS
  for (const { path, text } of spoken)
    errors = addErrors(errors, countErrors(text, (await ear.transcribe(path, language)).text, language))
  const firstMs = spoken.map((each) => each.firstMs)
  const audioMs = spoken.reduce((sum, each) => sum + each.audioMs, 0)
  const allMs = spoken.reduce((sum, each) => sum + each.allMs, 0)
  const { cer } = rates(errors)
  const firstShare = firstMs.reduce((sum, each) => sum + each, 0) / audioMs
  say(
    `${id} (${language}): ${cer.toFixed(1)} % of characters misheard, speaking takes ${(allMs / audioMs).toFixed(2)} of the sound`,
  )
  return [
    {
      name: `${id}: characters misheard`,
      value: cer,
      unit: '%',
      baseline: 'all characters',
      ratio: cer / 100,
      spread: 0,
    },
    {
      name: `${id}: first sound`,
      value: median(firstMs),
      unit: 'ms',
      baseline: 'the length of the sentence',
      ratio: firstShare,
      spread: spread(firstMs),
    },
  ]
}

async function speakAll(
  synthesizer: Synthesizer,
  voice: string,
  sentences: readonly string[],
  folder: string,
): Promise<Spoken[]> {
  const spoken: Spoken[] = []
  for (const [at, text] of sentences.entries()) {
    const startMs = performance.now()
    let firstMs: number | undefined
    const pieces: Float32Array[] = [new Float32Array(MARGIN_SAMPLES)]
    let resampler: Resampler | undefined
    for await (const { samples, sampleRateHz } of synthesizer.synthesize({ text, voice })) {
      firstMs ??= performance.now() - startMs
      resampler ??= new Resampler(sampleRateHz, SAMPLE_RATE_HZ)
      pieces.push(resampler.push(samples))
    }
    const allMs = performance.now() - startMs
    pieces.push(new Float32Array(MARGIN_SAMPLES))
    const sound = Float32Array.from(pieces.flatMap((piece) => [...piece]))
    const path = join(folder, `${voice}-${at}.wav`)
    await writeFile(path, encodeWav(sound))
    const audioMs = ((sound.length - 2 * MARGIN_SAMPLES) * 1000) / SAMPLE_RATE_HZ
    spoken.push({ path, text, firstMs: firstMs ?? allMs, allMs, audioMs })
  }
  return spoken
}
