import type { ModelFiles } from '../../models/ensure-models.ts'
import { resolveFileReferences } from '../../models/resolve-file-references.ts'
import { childEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import type { Outcome, Samples, SpeakerModel } from '../../speech/ports.ts'
import type { VoicePrint } from '../../speech/transcript.ts'
import { attempt } from '../host/attempt.ts'
import { createEngineHost, type EngineLimits } from '../host/engine-host.ts'

export type SpeakersSettings = { readonly config: unknown }
export type SpeakersRequest = { readonly samples: Samples }
export type SpeakersAnswer = { readonly prints: readonly VoicePrint[] }

/** Any diarization of sherpa-onnx (a segmentation and an embedding model): its configuration is passed on. */
export function createSherpaSpeakers(model: ModelFiles, limits?: Partial<EngineLimits>): SpeakerModel {
  if (model.entry.kind !== 'sherpa-diarization') {
    throw new LipikError('invalid_request', `${model.name} is not a diarization model of sherpa-onnx`)
  }
  const settings: SpeakersSettings = { config: resolveFileReferences(model.entry.config, model) }
  const host = createEngineHost<SpeakersRequest, SpeakersAnswer>({
    name: model.name,
    entry: childEntry(import.meta.url, './sherpa-speakers-child'),
    settings,
    limits,
  })
  return {
    async hear(clips, signal) {
      const outcomes: Outcome<readonly VoicePrint[]>[] = []
      for (const samples of clips)
        outcomes.push(await attempt(async () => (await host.request({ samples }, signal)).prints))
      return outcomes
    },
    close: () => host.close(),
  }
}
