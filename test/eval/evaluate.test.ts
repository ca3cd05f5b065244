import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareJoined } from '../../eval/compare-joined.ts'
import { evaluate } from '../../eval/evaluate.ts'
import { makeNonSpeech } from '../../eval/make-recordings.ts'
import { type Clip, readManifest, takeOfEach } from '../../eval/read-manifest.ts'
import type { System } from '../../eval/system.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(() => folder.remove())

/** Answers from a table, by the clip's name. */
const scripted = (answers: Record<string, string>): System => ({
  name: 'scripted',
  async transcribe(path, language) {
    const text = answers[path.split('/').at(-1) ?? '']
    if (text === undefined) throw new Error('heard nothing')
    return { text, language: language === '-' ? null : /\p{Script=Devanagari}/u.test(text) ? 'hi' : 'en' }
  },
  close: async () => undefined,
})

const clip = (name: string, language: string, transcript: string, durationSeconds = 3): Clip => ({
  name,
  path: `/clips/${name}`,
  language,
  durationSeconds,
  transcript,
})

describe('evaluating', () => {
  it('gives rates per language, decisions and faults', async () => {
    const clips = [
      clip('1', 'hi', 'मेरा नाम राजेश है'),
      clip('2', 'hi', 'ठीक है चलो'),
      clip('3', 'en', 'good morning'),
      clip('4', '-', '[clapping]'),
      clip('5', 'hi-en', ''),
      clip('6', 'hi', 'हाँ', 1),
      clip('7', 'en', 'hello'),
    ]
    const { figures } = await evaluate(
      scripted({ 1: 'मेरा नाम राजेश है', 2: 'Okay let us go', 3: 'Good morning!', 4: 'thank you', 5: 'हाँ ok', 6: 'یہ' }),
      clips,
    )
    expect(figures.languages.hi).toEqual({ clips: 3, words: 8, wer: 62.5, cer: expect.any(Number) })
    expect(figures.languages.en).toMatchObject({ clips: 2, words: 3, wer: 33.33 })
    expect(figures.languages['hi-en']).toBeUndefined()
    expect(figures.language_decisions).toEqual({ clips: 4, right: 3, accuracy: 75 })
    expect(figures.faults).toEqual({ urdu_script: 1, translated: 1, runaway: 0, invented_words: 2, failed: 1 })
    expect(figures.peak_memory_mb).toBeGreaterThan(20)
  })

  it('holds a joined recording against its clips', async () => {
    const real = (await readManifest('test/fixtures/manifest.tsv')).filter(({ name }) => name.startsWith('en-'))
    const answers = Object.fromEntries(real.map(({ name, transcript }) => [name, transcript]))
    const said = real.map(({ transcript }) => transcript).join(' ')
    const system = scripted({ ...answers, 'joined-en.wav': `${said} and more` })
    const figures = await compareJoined(system, real, 9 / 60, folder.path)
    expect(figures).toMatchObject({ language: 'en', clips_wer: 0 })
    expect(figures.wer).toBeGreaterThan(0)
    expect(figures.seconds).toBeGreaterThan(9)
  })

  it('makes recordings in which nobody speaks', async () => {
    const made = await makeNonSpeech(2, folder.path)
    expect(made.map(({ name, language, durationSeconds }) => [name, language, durationSeconds])).toEqual([
      ['silence', '-', 2],
      ['white-noise', '-', 2],
      ['tones', '-', 2],
    ])
  })
})

describe('the manifest', () => {
  it('is read by its heading, whatever other columns it has', async () => {
    const file = join(folder.path, 'm.tsv')
    await writeFile(file, 'note\tfile\tlanguage\tduration_s\ttranscript\nx\ta/b.flac\thi\t2.5\tठीक है\n')
    expect(await readManifest(file)).toEqual([
      {
        name: 'a/b.flac',
        path: join(folder.path, 'a/b.flac'),
        language: 'hi',
        durationSeconds: 2.5,
        transcript: 'ठीक है',
      },
    ])
  })

  it('is refused with what is wrong', async () => {
    const file = join(folder.path, 'm.tsv')
    await writeFile(file, 'file\tlanguage\n')
    await expect(readManifest(file)).rejects.toThrow(/no column duration_s, transcript/)
    await writeFile(file, 'file\tlanguage\tduration_s\ttranscript\na\thi\tlong\tx\n')
    await expect(readManifest(file)).rejects.toThrow(/row 2 is not whole/)
  })

  it('is limited per language', () => {
    const clips = [clip('1', 'hi', ''), clip('2', 'hi', ''), clip('3', 'en', '')]
    expect(takeOfEach(clips, 1).map(({ name }) => name)).toEqual(['1', '3'])
  })
})
