import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LipikError } from '../../platform/errors.ts'
import type { KokoroVoice } from './kokoro-voices.ts'

const STYLE_SIZE = 256
const FLOAT_BYTES = 4

/** A voice has one style for each length of text, in symbols. */
export type VoiceVectors = { styleFor(symbols: number): Float32Array }

export async function readVoiceVectors(dir: string, { id, blend }: KokoroVoice): Promise<VoiceVectors> {
  const total = Object.values(blend).reduce((sum, weight) => sum + weight, 0)
  const parts: { vectors: Float32Array; weight: number }[] = []
  for (const [name, weight] of Object.entries(blend)) {
    parts.push({ vectors: await readVectors(join(dir, `${name}.bin`), id), weight: weight / total })
  }
  return { styleFor: (symbols) => mix(parts, symbols) }
}

async function readVectors(path: string, id: string): Promise<Float32Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new LipikError('model_unavailable', `the voice ${id} needs ${path}, which cannot be read`, { cause })
  })
  // A copy, because a pooled buffer may start at an address that a float array cannot.
  return new Float32Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / FLOAT_BYTES))
}

function mix(parts: readonly { vectors: Float32Array; weight: number }[], symbols: number): Float32Array {
  const style = new Float32Array(STYLE_SIZE)
  for (const { vectors, weight } of parts) {
    const row = Math.min(symbols, Math.floor(vectors.length / STYLE_SIZE) - 1) * STYLE_SIZE
    for (let i = 0; i < STYLE_SIZE; i++) style[i] = (style[i] ?? 0) + weight * (vectors[row + i] ?? 0)
  }
  return style
}
