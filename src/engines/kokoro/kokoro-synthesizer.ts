import { childEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import { sleepersOf } from '../../speech/keep-awake.ts'
import type { Phonemizer, Sleeper, Sound, SynthesisRequest, Synthesizer } from '../../speech/ports.ts'
import { readAloud } from '../../speech/read-aloud/read-aloud.ts'
import { createEngineHost, type EngineHost, type EngineLimits } from '../host/engine-host.ts'
import type { KokoroAnswer, KokoroRequest, KokoroSettings } from './kokoro-child.ts'
import { MAX_SYMBOLS, toSymbols } from './kokoro-symbols.ts'
import { KOKORO_VOICES, type KokoroVoice } from './kokoro-voices.ts'
import { spellForKokoro } from './spell-for-kokoro.ts'
import { splitSentences } from './split-sentences.ts'
import { splitSpokenText } from './split-spoken-text.ts'
import { trimSilence } from './trim-silence.ts'
import { readVoiceVectors, type VoiceVectors } from './voice-vectors.ts'

const SAMPLE_RATE_HZ = 24_000
/** Half precision can overflow: another pace has other sums. */
const PACES = [1, 0.97]
export type KokoroOptions = {
  /** Path of the network. */
  readonly model: string
  /** Folder of the voice vectors. */
  readonly voicesDir: string
  readonly phonemizer: Phonemizer
  readonly voices?: readonly KokoroVoice[]
  readonly threads?: number
  readonly limits?: Partial<EngineLimits>
}

export function createKokoroSynthesizer(options: KokoroOptions): Synthesizer {
  const { model, threads = 2, voices = KOKORO_VOICES } = options
  const settings: KokoroSettings = { model, threads }
  const host = createEngineHost<KokoroRequest, KokoroAnswer>({
    name: 'kokoro',
    entry: childEntry(import.meta.url, './kokoro-child'),
    settings,
    limits: { maxRssBytes: 2_500_000_000, ...options.limits },
  })
  return new KokoroSynthesizer(host, { ...options, voices })
}

class KokoroSynthesizer implements Synthesizer {
  readonly voices: readonly KokoroVoice[]
  readonly sleepers: readonly Sleeper[]
  readonly #host: EngineHost<KokoroRequest, KokoroAnswer>
  readonly #options: KokoroOptions
  readonly #vectors = new Map<string, Promise<VoiceVectors>>()

  constructor(
    host: EngineHost<KokoroRequest, KokoroAnswer>,
    options: KokoroOptions & { voices: readonly KokoroVoice[] },
  ) {
    this.#host = host
    this.#options = options
    this.voices = options.voices
    this.sleepers = [host, ...sleepersOf([options.phonemizer])]
  }

  async *synthesize({ text, voice: id, speed = 1 }: SynthesisRequest, signal?: AbortSignal): AsyncGenerator<Sound> {
    const voice = this.voices.find((each) => each.id === id)
    if (!voice) {
      const known = this.voices.map((each) => each.id).join(', ')
      throw new LipikError('invalid_request', `no voice is called "${id}"; there are: ${known}`)
    }
    for (const sentence of splitSentences(readAloud(text, voice.language))) {
      const symbols = toSymbols(await this.#spell(sentence, voice, signal)).slice(0, MAX_SYMBOLS)
      if (symbols.length === 0) continue
      const samples = await this.#speak(symbols, voice, speed, signal)
      yield { samples: trimSilence(samples, sentence, SAMPLE_RATE_HZ), sampleRateHz: SAMPLE_RATE_HZ }
    }
  }

  async close(): Promise<void> {
    await this.#host.close()
  }

  async #spell(sentence: string, voice: KokoroVoice, signal?: AbortSignal): Promise<string> {
    const pieces = splitSpokenText(sentence, voice.language)
    const words = pieces.filter((piece) => piece.kind === 'words')
    const spoken = await this.#options.phonemizer.phonemize(words, signal)
    const spelt = spoken.map((ipa, index) => spellForKokoro(ipa, words[index]?.language ?? voice.language))
    const all = pieces.map((piece) => (piece.kind === 'mark' ? piece.text : ` ${spelt.shift() ?? ''}`))
    return all.join('').trim()
  }

  async #speak(symbols: readonly number[], voice: KokoroVoice, speed: number, signal?: AbortSignal) {
    const vectors = await this.#vectorsOf(voice)
    const style = vectors.styleFor(symbols.length)
    for (const pace of PACES) {
      const { samples } = await this.#host.request({ symbols, style, speed: speed * pace }, signal)
      if (samples.every(Number.isFinite)) return samples
    }
    throw new LipikError('engine_crashed', 'kokoro gave a sound with holes in it')
  }

  #vectorsOf(voice: KokoroVoice): Promise<VoiceVectors> {
    const read = this.#vectors.get(voice.id) ?? readVoiceVectors(this.#options.voicesDir, voice)
    this.#vectors.set(voice.id, read)
    return read
  }
}
