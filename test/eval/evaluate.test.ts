import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clipsErrorRate } from '../../eval/clips-error-rate.ts'
import { evaluate, type Figures } from '../../eval/evaluate.ts'
import { joinClips, makeNonSpeech } from '../../eval/make-recordings.ts'
import { readOptions } from '../../eval/options.ts'
import { type Clip, readManifest, takeOfEach } from '../../eval/read-manifest.ts'
import { compare, describeReport } from '../../eval/report.ts'
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
    expect(figures.peak_process_mb).toBeLessThanOrEqual(figures.peak_memory_mb)
  })

  it('holds a joined recording against its clips', async () => {
    const real = (await readManifest('test/fixtures/manifest.tsv')).filter(({ name }) => name.startsWith('en-'))
    const { long, parts } = await joinClips(real, 12 / 60, folder.path)
    expect(long.durationSeconds).toBeGreaterThan(12)
    expect(parts.map(({ name }) => name)).toEqual(['en-office.wav', 'en-train.wav', 'en-report.wav', 'en-office.wav'])
    expect(long.transcript).toBe(parts.map(({ transcript }) => transcript).join(' '))
    const answers = { 'en-office.wav': 'Good morning', 'en-train.wav': '', 'en-report.wav': real[2]?.transcript ?? '' }
    // 8, 11, 7 and again 8 words were said; 6, 11, 0 and again 6 of them were lost.
    expect(await clipsErrorRate(scripted(answers), parts)).toBe(67.65)
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
        note: 'x',
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

describe('the report', () => {
  const figures = (wer: number, rtf: number): Figures => ({
    languages: { hi: { clips: 2, words: 10, wer, cer: 5 } },
    sets: { one: { clips: 2, words: 10, wer, cer: 5 } },
    language_decisions: { clips: 2, right: 2, accuracy: 100 },
    rtf,
    audio_seconds: 12,
    peak_memory_mb: 1_000,
    peak_process_mb: 800,
    faults: { urdu_script: 0, translated: 0, runaway: 0, invented_words: 0, failed: 0 },
  })

  it('says how many times better than the baseline', () => {
    const [ours, theirs] = [figures(20, 0.5), figures(60, 1.5)]
    const ratios = compare(ours, theirs)
    expect(ratios).toEqual({ speed: 3, memory: 1, wer: { hi: 3 } })
    const text = describeReport({ ...ours, normaliser: 'n', baseline: { ...theirs, name: 'plain' }, ratios })
    expect(text).toMatch(/lipik-1[\s\S]*WER 20\.00[\s\S]*plain[\s\S]*WER 60\.00[\s\S]*speed 3x/)
  })
})

describe('the command line', () => {
  it('reads every option', () => {
    const options = readOptions(['--manifest', 'm.tsv', '--limit', '3', '--join', '10', 'hi', '--baseline'])
    expect(options).toMatchObject({ limit: 3, join: { minutes: 10, language: 'hi' }, baseline: true })
  })

  it.each([
    [[], /--manifest/],
    [['--manifest', 'm', '--limit', 'many'], /--limit takes a number/],
    [['--manifest', 'm', '--join', '10'], /MINUTES and LANGUAGE/],
    [['--manifest', 'm', 'hi'], /nothing is known about "hi"/],
  ])('refuses %j', (args, message) => expect(() => readOptions(args)).toThrow(message))
})
