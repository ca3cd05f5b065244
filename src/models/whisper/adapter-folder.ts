import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { LipikError } from '../../platform/errors.ts'

/** Where an adapter lies and how it is meant: `adapter.json` beside its safetensors files says it. */
export type AdapterSource = {
  readonly files: readonly string[]
  /** Languages it teaches, in windows cut to the clip. The model hears every other language as it was published. */
  readonly languages: readonly string[]
}

export const NO_SOURCE: AdapterSource = { files: [], languages: [] }

const About = z.strictObject({ languages: z.array(z.string()).min(1) })

export async function openAdapterFolder(folder: string): Promise<AdapterSource> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new LipikError('invalid_request', `ASR_ADAPTER names no folder: ${folder}`, { cause })
  })
  const files = names.filter((name) => name.endsWith('.safetensors')).toSorted()
  if (files.length === 0)
    throw new LipikError('invalid_request', `no safetensors file in the adapter's folder ${folder}`)
  const about = names.includes('adapter.json') ? await readAbout(join(folder, 'adapter.json')) : { languages: ['hi'] }
  return { files: files.map((name) => join(folder, name)), ...about }
}

async function readAbout(file: string) {
  try {
    return About.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
    throw new LipikError('invalid_request', `${file}: ${reason}`, { cause })
  }
}
