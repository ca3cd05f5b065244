import { dirname, join } from 'node:path'
import { createEspeakPhonemizer } from '../engines/espeak/espeak-phonemizer.ts'
import { createKokoroSynthesizer } from '../engines/kokoro/kokoro-synthesizer.ts'
import { loadVoices } from '../engines/kokoro/load-voices.ts'
import { SYNTHESIS_MODELS } from '../models/catalogue.ts'
import { type EnsureOptions, ensureModels } from '../models/ensure-models.ts'
import { prepareKokoro } from '../models/kokoro/prepare-kokoro.ts'
import { sleepersOf } from '../speech/keep-awake.ts'
import type { Synthesizer } from '../speech/ports.ts'

export type SynthesizerOptions = EnsureOptions & {
  readonly threads?: number
  /** The user's own voices: a JSON file, see docs/voices.md. */
  readonly voicesFile?: string | undefined
}

/** The voices of the service, their weights fetched if need be. */
export async function openSynthesizer(options: SynthesizerOptions): Promise<Synthesizer> {
  const own = await loadVoices(options.voicesFile)
  const [network, voices] = SYNTHESIS_MODELS
  const models = await ensureModels([network, voices], options)
  const published = models[network]?.files['model.onnx'] ?? ''
  const preparedDir = join(dirname(published), '..', 'prepared')
  const model = await prepareKokoro({ model: published, preparedDir, arch: process.arch })
  const voicesDir = dirname(models[voices]?.files['hf_alpha.bin'] ?? '')
  const phonemizer = createEspeakPhonemizer()
  const { threads } = options
  const kokoro = createKokoroSynthesizer({ model, voicesDir, phonemizer, voices: own, ...(threads && { threads }) })
  return {
    voices: kokoro.voices,
    synthesize: (request, signal) => kokoro.synthesize(request, signal),
    sleepers: sleepersOf([kokoro]),
    async close() {
      await Promise.all([kokoro.close(), phonemizer.close()])
    },
  }
}
