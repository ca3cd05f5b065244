import type { ModelFiles } from '../../models/ensure-models.ts'
import { resolveFileReferences } from '../../models/resolve-file-references.ts'
import { LipikError } from '../../platform/errors.ts'
import type { SpeechRecognizer } from '../../speech/ports.ts'
import type { EngineLimits } from '../host/engine-host.ts'
import { openSherpaRecognizer } from '../host/sherpa-recognizer.ts'

export type SherpaOptions = { readonly concurrency?: number; readonly limits?: Partial<EngineLimits> }

/** Any offline model of sherpa-onnx: its configuration is passed on, so that a new kind of model needs no code. */
export function createSherpaRecognizer(model: ModelFiles, options: SherpaOptions = {}): SpeechRecognizer {
  if (model.entry.kind !== 'sherpa-offline') {
    throw new LipikError('invalid_request', `${model.name} is not a model of sherpa-onnx`)
  }
  return openSherpaRecognizer({
    ...options,
    name: model.name,
    config: resolveFileReferences(model.entry.config, model),
  })
}
