import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KOKORO_VOICES } from '../../../src/engines/kokoro/kokoro-voices.ts'
import { loadVoices } from '../../../src/engines/kokoro/load-voices.ts'
import { readVoiceVectors } from '../../../src/engines/kokoro/voice-vectors.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(() => folder.remove())

const vector = (value: number, rows = 3) => Buffer.from(new Float32Array(rows * 256).fill(value).buffer)

async function written(voices: unknown): Promise<string> {
  const file = join(folder.path, 'voices.json')
  await writeFile(file, JSON.stringify({ voices }))
  return file
}

describe('voices of one’s own', () => {
  it('come from a folder and a line, and may be mixed with Kokoro’s', async () => {
    await mkdir(join(folder.path, 'mira'))
    await writeFile(join(folder.path, 'mira/mira.bin'), vector(1))
    await writeFile(join(folder.path, 'hf_beta.bin'), vector(5))
    const line = { id: 'mira', language: 'hi', gender: 'female', folder: 'mira', blend: { mira: 3, hf_beta: 1 } }
    const voices = await loadVoices(await written([line]))
    const mira = voices.at(-1)
    if (mira?.id !== 'mira') throw new Error('no mira')
    expect(voices).toHaveLength(KOKORO_VOICES.length + 1)
    const vectors = await readVoiceVectors(folder.path, mira)
    expect(vectors.styleFor(1)).toEqual(new Float32Array(256).fill(2))
    expect(vectors.styleFor(400)).toEqual(new Float32Array(256).fill(2))
  })

  it('replace a built-in voice of the same id', async () => {
    const file = await written([{ id: 'tara', language: 'en', gender: 'female', blend: { af_bella: 1 } }])
    expect((await loadVoices(file)).filter(({ id }) => id === 'tara')).toMatchObject([{ blend: { af_bella: 1 } }])
  })

  it('are refused with every fault', async () => {
    const file = await written([{ id: 'No', language: 'hi', gender: 'x', blend: {} }])
    await expect(loadVoices(file)).rejects.toThrow(/voices\.0\.id[\s\S]*voices\.0\.gender[\s\S]*at least one vector/)
    await expect(loadVoices('/nowhere.json')).rejects.toThrow(/cannot read the voices file \/nowhere\.json/)
  })

  it('are refused when their vector is missing or no vector', async () => {
    const voice = { id: 'a', language: 'hi', gender: 'male', blend: { a: 1 } } as const
    await expect(readVoiceVectors(folder.path, voice)).rejects.toThrow(/needs .*a\.bin, which cannot be read/)
    await writeFile(join(folder.path, 'a.bin'), Buffer.alloc(1_000))
    await expect(readVoiceVectors(folder.path, voice)).rejects.toThrow(/no Kokoro voice/)
  })
})
