import { readFile } from 'node:fs/promises'
import { parseWav } from '../../src/audio/wav.ts'
import type { Samples } from '../../src/speech/ports.ts'

/** A clip of test/fixtures by its name without extension. */
export const fixtureClip = async (name: string): Promise<Samples> =>
  parseWav(await readFile(new URL(`../fixtures/${name}.wav`, import.meta.url)))
