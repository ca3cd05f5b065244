import type { ModelFiles } from '../../models/ensure-models.ts'
import { resolveFileReferences } from '../../models/resolve-file-references.ts'
import { childEntry } from '../../platform/child-entry.ts'
import { LipikError } from '../../platform/errors.ts'
import type { EventTagger, Outcome, Samples } from '../../speech/ports.ts'
import type { Tag, TimedTag } from '../../speech/transcript.ts'
import { attempt } from '../host/attempt.ts'
import { createEngineHost, type EngineHost, type EngineLimits } from '../host/engine-host.ts'
import { loudPart } from '../host/loud-part.ts'

export type TaggingSettings = { readonly config: unknown }
export type TaggingRequest = { readonly samples: Samples }
export type SoundEvent = { readonly name: string; readonly prob: number }
export type TaggingAnswer = { readonly events: readonly SoundEvent[] }

/** The names of AudioSet's classes, which these models are taught with. */
const CLASSES: Readonly<Partial<Record<Tag, RegExp>>> = {
  laughing: /laugh|giggle|snicker|chuckle/i,
  applause: /applause|clapping|cheering/i,
  coughing: /^cough$/i,
  crying: /crying|baby cry|whimper/i,
  music: /^music$/i,
  shouting: /^(shout|yell|screaming|bellow)$/i,
  whispering: /^whispering$/i,
}
const BELIEVED = 0.3

/** Any audio-tagging model of sherpa-onnx (CED, zipformer): its configuration is passed on. */
export function createSherpaTagger(model: ModelFiles, limits?: Partial<EngineLimits>): EventTagger {
  if (model.entry.kind !== 'sherpa-tagging') {
    throw new LipikError('invalid_request', `${model.name} is not an audio-tagging model of sherpa-onnx`)
  }
  const settings: TaggingSettings = { config: resolveFileReferences(model.entry.config, model) }
  const host = createEngineHost<TaggingRequest, TaggingAnswer>({
    name: model.name,
    entry: childEntry(import.meta.url, './sherpa-tagging-child'),
    settings,
    limits,
  })
  return {
    async tag(clips, signal) {
      const outcomes: Outcome<readonly TimedTag[]>[] = []
      for (const { samples } of clips) outcomes.push(await tagOne(host, samples, signal))
      return outcomes
    },
    close: () => host.close(),
  }
}

async function tagOne(
  host: EngineHost<TaggingRequest, TaggingAnswer>,
  samples: Samples,
  signal?: AbortSignal,
): Promise<Outcome<readonly TimedTag[]>> {
  const part = loudPart(samples)
  if (!part) return { ok: true, value: [] }
  return attempt(async () => {
    const { events } = await host.request({ samples }, signal)
    return namedTags(events).map((named) => ({ ...named, ...part }))
  })
}

/** The likeliest class of each tag, where it is believed. */
export function namedTags(events: readonly SoundEvent[]): { readonly tag: Tag; readonly confidence: number }[] {
  return Object.entries(CLASSES).flatMap(([tag, pattern]) => {
    const confidence = Math.max(0, ...events.filter(({ name }) => pattern.test(name)).map(({ prob }) => prob))
    // The keys of the table above are tags.
    return confidence >= BELIEVED ? [{ tag: tag as Tag, confidence }] : []
  })
}
