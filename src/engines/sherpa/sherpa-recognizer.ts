import { join } from 'node:path'
import type { SpeechRecognizer } from '../../speech/ports.ts'
import type { EngineLimits } from '../host/engine-host.ts'
import { openSherpaRecognizer } from '../host/sherpa-recognizer.ts'

export type SherpaOptions = {
  readonly name: string
  /** Folder of the model's files. */
  readonly folder: string
  /** From the catalogue; a text `file:PATH` in it stands for that file of the folder. */
  readonly config: Readonly<Record<string, unknown>>
  readonly concurrency?: number
  readonly limits?: Partial<EngineLimits>
}

/** Any offline model of sherpa-onnx: its configuration is passed on, so that a new kind of model needs no code. */
export function createSherpaRecognizer({ folder, config, ...options }: SherpaOptions): SpeechRecognizer {
  return openSherpaRecognizer({ ...options, config: withPaths(config, folder) })
}

const FILE = 'file:'

function withPaths(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.startsWith(FILE) ? join(folder, value.slice(FILE.length)) : value
  if (Array.isArray(value)) return value.map((each) => withPaths(each, folder))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withPaths(each, folder)]))
}
