import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { LipikError } from '../../platform/errors.ts'
import { KOKORO_VOICES, type KokoroVoice } from './kokoro-voices.ts'

const VoicesFile = z.strictObject({
  voices: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be small letters, digits and dashes'),
      language: z.string().regex(/^[a-z]{2,3}$/, 'must be an ISO 639 code'),
      gender: z.enum(['female', 'male']),
      /** Holds the vectors that are the user's own. */
      folder: z.string().optional(),
      blend: z
        .record(z.string().regex(/^[\w-]+$/, 'must be the name of a vector'), z.number().positive())
        .refine((blend) => Object.keys(blend).length > 0, 'must name at least one vector'),
    }),
  ),
})

/** The built-in voices and those of the user's own file; the user's wins where both have the id. */
export async function loadVoices(file?: string): Promise<readonly KokoroVoice[]> {
  if (!file) return KOKORO_VOICES
  const parsed = VoicesFile.safeParse(await readJson(file))
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    throw new LipikError('invalid_request', `the voices file ${file} has faults:\n  ${faults.join('\n  ')}`)
  }
  const own = parsed.data.voices.map(({ folder, ...voice }) => ({
    ...voice,
    ...(folder !== undefined && { folder: resolve(dirname(file), folder) }),
  }))
  const isReplaced = ({ id }: KokoroVoice) => own.some((voice) => voice.id === id)
  return [...KOKORO_VOICES.filter((voice) => !isReplaced(voice)), ...own]
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new LipikError('invalid_request', `cannot read the voices file ${file}: ${String(cause)}`, { cause })
  }
}
