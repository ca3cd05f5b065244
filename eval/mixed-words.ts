import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { joinSounds } from '../scripts/shape-sound.ts'
import { resample } from '../src/audio/resampler.ts'
import { encodeWav } from '../src/audio/wav.ts'
import { openSynthesizer } from '../src/main/open-synthesizer.ts'
import { SAMPLE_RATE_HZ, type Samples } from '../src/speech/ports.ts'
import { percentage } from './error-rates.ts'
import { MIXED_SENTENCES } from './mixed-sentences.ts'
import { openProduct } from './open-product.ts'

const VOICES = ['ananya', 'arjun', 'kabir', 'rohan']
const HUSH = new Float32Array(SAMPLE_RATE_HZ / 4)

export type MixedReport = {
  readonly sentences: number
  readonly latin_words: number
  readonly right: number
  readonly percent: number
}

/** Of the English words inside Hindi sentences, how many come out in Latin letters and rightly spelled. */
export async function mixedWords(
  modelsDir: string,
  folder: string,
  onSentence: (said: string, heard: string) => void,
): Promise<MixedReport> {
  const files = await speakAll(modelsDir, folder)
  const product = await openProduct()
  try {
    let [words, right] = [0, 0]
    for (const [at, said] of MIXED_SENTENCES.entries()) {
      const { text } = await product.transcribe(files[at] ?? '', 'hi')
      const score = latinWordsKept(said, text)
      words += score.words
      right += score.right
      onSentence(said, text)
    }
    return { sentences: MIXED_SENTENCES.length, latin_words: words, right, percent: percentage(right, words) }
  } finally {
    await product.close()
  }
}

/** A word heard once counts once, wherever it stands. */
export function latinWordsKept(said: string, heard: string): { readonly words: number; readonly right: number } {
  const left = latinWords(heard)
  const wanted = latinWords(said)
  const right = wanted.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return { words: wanted.length, right: right.length }
}

const latinWords = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

async function speakAll(modelsDir: string, folder: string): Promise<string[]> {
  const synthesizer = await openSynthesizer({ dir: modelsDir })
  try {
    const files: string[] = []
    for (const [at, text] of MIXED_SENTENCES.entries()) {
      const pieces: Samples[] = [HUSH]
      const voice = VOICES[at % VOICES.length] ?? ''
      for await (const { samples, sampleRateHz } of synthesizer.synthesize({ text, voice }))
        pieces.push(resample(samples, sampleRateHz, SAMPLE_RATE_HZ))
      const file = join(folder, `mixed-${at}.wav`)
      await writeFile(file, encodeWav(joinSounds([...pieces, HUSH])))
      files.push(file)
    }
    return files
  } finally {
    await synthesizer.close()
  }
}

export const describeMixed = ({ sentences, latin_words, right, percent }: MixedReport): string =>
  `${sentences} mixed sentences in ${VOICES.length} voices: ${right} of ${latin_words} English words in Latin letters and right (${percent} %)`
