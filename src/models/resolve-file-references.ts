import { LipikError } from '../platform/errors.ts'
import type { ModelFiles } from './ensure-models.ts'

const REFERENCE = 'file:'

/** A configuration with every text `file:PATH` replaced by where that file of the model lies. */
export function resolveFileReferences(config: unknown, model: ModelFiles): unknown {
  if (Array.isArray(config)) return config.map((each) => resolveFileReferences(each, model))
  if (typeof config === 'object' && config !== null) {
    const entries = Object.entries(config).map(([key, value]) => [key, resolveFileReferences(value, model)])
    return Object.fromEntries(entries)
  }
  if (typeof config !== 'string' || !config.startsWith(REFERENCE)) return config
  const path = model.files[config.slice(REFERENCE.length)]
  if (path) return path
  const known = Object.keys(model.files).join(', ')
  throw new LipikError('invalid_request', `the model "${model.name}" has no file ${config}; its files are: ${known}`)
}
