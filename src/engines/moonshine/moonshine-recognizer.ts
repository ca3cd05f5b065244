import { join } from 'node:path'
import type { SpeechRecognizer } from '../../speech/ports.ts'
import type { EngineLimits } from '../host/engine-host.ts'
import { openSherpaRecognizer } from '../host/sherpa-recognizer.ts'
import { makeTokensFile } from './moonshine-tokens.ts'

export type MoonshineOptions = {
  /** Folder with encoder_model.onnx and decoder_model_merged.onnx. */
  readonly folder: string
  /** The file that holds the Llama vocabulary. */
  readonly vocabulary: string
  /** Where the token table is kept; made from the vocabulary when it is not there. */
  readonly tokens?: string
  readonly name?: string
  readonly concurrency?: number
  readonly limits?: Partial<EngineLimits>
}

/** English. It may say nothing to a long clip although somebody speaks: the caller asks again. */
export function createMoonshineRecognizer(options: MoonshineOptions): SpeechRecognizer {
  const { folder, vocabulary, tokens = join(folder, 'tokens.txt'), name = 'moonshine' } = options
  const { concurrency, limits } = options
  return openSherpaRecognizer({
    name,
    config: {
      featConfig: { sampleRate: 16_000, featureDim: 80 },
      modelConfig: {
        moonshine: {
          encoder: join(folder, 'encoder_model.onnx'),
          mergedDecoder: join(folder, 'decoder_model_merged.onnx'),
        },
        tokens,
        numThreads: 1,
        provider: 'cpu',
      },
    },
    prepare: () => makeTokensFile(vocabulary, tokens),
    ...(concurrency !== undefined && { concurrency }),
    limits,
  })
}
