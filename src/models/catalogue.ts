import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { LipikError } from '../platform/errors.ts'
import { BUILT_IN_MODELS } from './built-in-models.ts'
import { ModelEntry } from './model-entry.ts'

export type Catalogue = Readonly<Record<string, ModelEntry>>

/** What a service needs to hear. */
export const RECOGNITION_MODELS = [
  'whisper-small',
  'whisper-tiny',
  'moonshine-tiny',
  'silero-vad-v6',
  'llama-vocabulary',
]

/** What it needs besides to speak: a network and its voices. */
export const SYNTHESIS_MODELS = ['kokoro-fp16', 'kokoro-voices'] as const

const CatalogueFile = z.strictObject({
  models: z.record(
    z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, 'a model’s name has small letters, digits, dots and dashes'),
    ModelEntry,
  ),
})

/** The built-in models, and those of the user's own file; the user's entry wins where both have the name. */
export async function loadCatalogue(file?: string): Promise<Catalogue> {
  if (!file) return BUILT_IN_MODELS
  const parsed = CatalogueFile.safeParse(await readJson(file))
  if (!parsed.success) throw refused(file, parsed.error.issues.map(describeIssue))
  const folder = dirname(resolve(file))
  const own = Object.entries(parsed.data.models).map(([name, entry]) => [name, anchorFolders(entry, folder)])
  return { ...BUILT_IN_MODELS, ...Object.fromEntries(own) }
}

export function findModel(catalogue: Catalogue, name: string): ModelEntry {
  const entry = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined
  if (entry) return entry
  const known = Object.keys(catalogue).join(', ')
  throw new LipikError('invalid_request', `no model is called "${name}"; the catalogue has: ${known}`)
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new LipikError('invalid_request', `cannot read the model catalogue ${file}: ${String(cause)}`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LipikError('invalid_request', `the model catalogue ${file} is not JSON: ${String(cause)}`, { cause })
  }
}

const describeIssue = ({ path, message }: { path: PropertyKey[]; message: string }) =>
  `${path.map(String).join('.') || '(the file)'}: ${message}`

const refused = (file: string, faults: readonly string[]) =>
  new LipikError('invalid_request', `the model catalogue ${file} has faults:\n  ${faults.join('\n  ')}`, {
    details: { faults },
  })

/** A folder in the user's file counts from that file, wherever the service was started. */
function anchorFolders(entry: ModelEntry, folder: string): ModelEntry {
  if (entry.kind === 'remote') return entry
  const sources = entry.sources.map((source) =>
    source.from === 'folder' ? { ...source, folder: resolve(folder, source.folder) } : source,
  )
  return { ...entry, sources }
}
