import { LipikError } from '../../platform/errors.ts'

export type Speak = (symbols: readonly number[], speed: number) => Promise<Float32Array>

/** Half-precision sums overflow for about one text in ten: a slightly different pace gives other sums. */
const PACES = [1, 0.97, 1.04, 0.92]

/**
 * The sound of `symbols`, never one with holes of NaN: said again at another pace, then in two halves cut at the space
 * nearest the middle, because a shorter text has smaller sums.
 */
export async function speakFinite(
  speak: Speak,
  symbols: readonly number[],
  speed: number,
  space: number,
): Promise<Float32Array> {
  for (const pace of PACES) {
    const samples = await speak(symbols, speed * pace)
    if (samples.every(Number.isFinite)) return samples
  }
  const cut = nearestMiddle(symbols, space)
  if (cut === undefined) throw new LipikError('engine_crashed', 'kokoro gave no finite sound for one word')
  const first = await speakFinite(speak, symbols.slice(0, cut), speed, space)
  const second = await speakFinite(speak, symbols.slice(cut + 1), speed, space)
  const both = new Float32Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function nearestMiddle(symbols: readonly number[], space: number): number | undefined {
  const middle = symbols.length / 2
  const inside = [...symbols.keys()].filter((at) => symbols[at] === space && at > 0 && at < symbols.length - 1)
  return inside.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0]
}
