import {
  type Catalogue,
  findModel,
  loadCatalogue,
  RECOGNITION_MODELS,
  SYNTHESIS_MODELS,
} from '../../models/catalogue.ts'
import { defaultModelsDir } from '../../models/default-models-dir.ts'
import { ensureModels, locate, type ModelFiles } from '../../models/ensure-models.ts'
import { findFaults } from '../../models/file-stamps.ts'
import type { ModelEntry } from '../../models/model-entry.ts'
import { verifyModel } from '../../models/verify-model.ts'
import { readConfig } from '../config.ts'
import { showDownloads } from '../show-downloads.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

type Shelf = { readonly dir: string; readonly catalogue: Catalogue }

export const models: Command = {
  help: `lipik models list
lipik models pull [NAME...]
lipik models verify [NAME...]

The weights the service hears and speaks with. They lie in MODELS_DIR, and each file is known by its SHA-256.

  list     what the catalogue has, and what of it is on this machine
  pull     fetches what is missing; without a name, all that recognising and speaking need. Goes on where it was stopped
  verify   hashes every file that is on this machine; the exit code is 1 when one is not what it should be

Models of your own are entries in the JSON file MODELS_CATALOGUE: see docs/models.md.

Examples:
  lipik models pull
  lipik models pull whisper-small silero-vad-v6
  MODELS_DIR=/srv/models lipik models verify
`,

  async run([action, ...names], context) {
    const config = readConfig(context.env)
    const catalogue = await loadCatalogue(config.MODELS_CATALOGUE)
    const shelf = { catalogue, dir: config.MODELS_DIR ?? defaultModelsDir(context.env) }
    for (const name of names) findModel(catalogue, name)
    if (action === 'list' && names.length === 0) return list(shelf, context)
    if (action === 'pull') return pull(shelf, names, context)
    if (action === 'verify') return verify(shelf, names, context)
    throw new UsageError('one of list, pull or verify must follow')
  },
}

async function list({ dir, catalogue }: Shelf, { print, note }: CommandContext): Promise<number> {
  note(`models in ${dir}:`)
  for (const [name, entry] of Object.entries(catalogue)) {
    const where = await stateOf(locate(name, entry, dir))
    print(
      [name.padEnd(18), where.padEnd(7), size(entry).padStart(9), entry.licence.padEnd(11), entry.purpose].join('  '),
    )
  }
  return 0
}

async function stateOf(model: ModelFiles): Promise<string> {
  const { entry, dir } = model
  if (entry.kind === 'remote') return 'remote'
  if ((await findFaults(dir, entry.files)).length === 0) return 'here'
  return (await verifyModel(model)).some(({ fault }) => fault !== 'missing') ? 'broken' : 'absent'
}

async function pull({ dir, catalogue }: Shelf, names: readonly string[], { env, note }: CommandContext) {
  const wanted = names.length > 0 ? names : [...RECOGNITION_MODELS, ...SYNTHESIS_MODELS]
  await ensureModels(wanted, { dir, catalogue, env, onProgress: showDownloads(note) })
  note(`${wanted.join(', ')}: all in ${dir}`)
  return 0
}

/** Without names, what was never fetched is no fault. */
async function verify({ dir, catalogue }: Shelf, names: readonly string[], { print }: CommandContext) {
  let broken = 0
  for (const name of names.length > 0 ? names : Object.keys(catalogue)) {
    const model = locate(name, findModel(catalogue, name), dir)
    const faults = await verifyModel(model)
    const files = Object.keys(model.files).length
    const isAbsent = files > 0 && faults.length === files && faults.every(({ fault }) => fault === 'missing')
    if (isAbsent && names.length === 0) continue
    for (const { path, fault } of faults) print(`${name}/${path}: ${fault}`)
    if (faults.length === 0) print(`${name}: ${files} files, as catalogued`)
    broken += faults.length
  }
  return broken === 0 ? 0 : 1
}

function size(entry: ModelEntry): string {
  if (entry.kind === 'remote') return ''
  return `${(entry.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`
}
