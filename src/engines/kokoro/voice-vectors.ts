import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LipikError } from '../../platform/errors.ts'
import type { KokoroVoice } from './kokoro-voices.ts'

const STYLE_SIZE = 256
const FLOAT_BYTES = 4

/** A voice has one style for each length of text, in symbols. */
export type VoiceVectors = { styleFor(symbols: number): Float32Array }

/** A vector is looked for in the voice's own folder, then among Kokoro's in `dir`. */
export async function readVoiceVectors(dir: string, { id, blend, folder }: KokoroVoice): Promise<VoiceVectors> {
  const total = Object.values(blend).reduce((sum, weight) => sum + weight, 0)
  const parts: { vectors: Float32Array; weight: number }[] = []
  for (const [name, weight] of Object.entries(blend)) {
    const paths = [folder, dir].flatMap((place) => (place ? [join(place, `${name}.bin`)] : []))
    parts.push({ vectors: await readVectors(paths, id), weight: weight / total })
  }
  return { styleFor: (symbols) => mix(parts, symbols) }
}

async function readVectors(paths: readonly string[], id: string): Promise<Float32Array> {
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => undefined)
    if (!bytes) continue
    if (bytes.length === 0 || bytes.length % (STYLE_SIZE * FLOAT_BYTES) !== 0)
      throw new LipikError('model_unavailable', `the voice ${id} has a vector that is no Kokoro voice: ${path}`)
    // A copy, because a pooled buffer may start at an address that a float array cannot.
    return new Float32Array(Uint8Array.from(bytes).buffer)
  }
  throw new LipikError('model_unavailable', `the voice ${id} needs ${paths.join(' or ')}, which cannot be read`)
}

function mix(parts: readonly { vectors: Float32Array; weight: number }[], symbols: number): Float32Array {
  const style = new Float32Array(STYLE_SIZE)
  for (const { vectors, weight } of parts) {
    const row = Math.min(symbols, Math.floor(vectors.length / STYLE_SIZE) - 1) * STYLE_SIZE
    for (let i = 0; i < STYLE_SIZE; i++) style[i] = (style[i] ?? 0) + weight * (vectors[row + i] ?? 0)
  }
  return style
}
