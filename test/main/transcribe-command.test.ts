import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runLipik } from '../support/run-lipik.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await makeTemporaryFolder()
})
afterAll(() => folder.remove())

async function transcribe(...args: string[]) {
  const lipik = runLipik(['transcribe', ...args], { DATA_DIR: folder.path })
  return { code: await lipik.ended, stdout: lipik.stdout(), stderr: lipik.stderr() }
}

describe('lipik transcribe', () => {
  it('writes down English and Hindi, and goes on past a file that is not audio', { timeout: 180_000 }, async () => {
    const broken = join(folder.path, 'notes.wav')
    await writeFile(broken, 'this is not sound')
    const out = join(folder.path, 'out')
    const files = [fixture('en-train.wav'), broken, fixture('hi-rain.wav')]
    const { code, stdout, stderr } = await transcribe(...files, '--format', 'srt', '--out', out)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('notes.wav: the file is not audio')
    expect(await readFile(join(out, 'en-train.srt'), 'utf8')).toMatch(/^1\n00:00:00,\d{3} --> .*\n.*train to the city/i)
    expect(await readFile(join(out, 'hi-rain.srt'), 'utf8')).toContain('बारिश')
  })

  it.each([
    [['--format', 'txt'], /at least one file/],
    [['a.wav', '--format', 'doc'], /--format is one of txt, srt, vtt, json/],
    [['a.wav', '--script', 'urdu'], /--script is one of native, roman, devanagari/],
  ])('answers %j with what is wrong and 2', async (args, said) => {
    const { code, stderr } = await transcribe(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(said)
  })
})
