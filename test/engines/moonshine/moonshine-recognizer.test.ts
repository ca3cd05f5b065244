import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/moonshine-recognizer.ts'
import { createSherpaRecognizer } from '../../../src/engines/sherpa/sherpa-recognizer.ts'
import type { ModelFiles } from '../../../src/models/ensure-models.ts'
import { fixtureClip } from '../../support/fixture-clip.ts'
import { testModel } from '../../support/models.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

describe('Moonshine', () => {
  let work: TemporaryFolder
  let moonshine: ModelFiles
  let vocabulary = ''

  beforeAll(async () => {
    work = await makeTemporaryFolder()
    moonshine = await testModel('moonshine-tiny')
    vocabulary = Object.values((await testModel('llama-vocabulary')).files)[0] ?? ''
  })
  afterAll(() => work.remove())

  it('writes English, several clips at once, in their order', async () => {
    const tokens = join(work.path, 'tokens.txt')
    const recognizer = createMoonshineRecognizer({ folder: moonshine.dir, vocabulary, tokens, concurrency: 2 })
    const clips = await Promise.all(['en-office', 'en-train', 'en-report'].map(fixtureClip))
    const outcomes = await recognizer.recognize(clips.map((samples) => ({ samples, language: 'en' })))
    await recognizer.close()
    const texts = outcomes.map((each) => (each.ok ? each.value.segments[0]?.text.toLowerCase() : each.error.message))
    expect(texts[0]).toContain('calling our office')
    expect(texts[1]).toContain('train to the city')
    expect(texts[2]).toContain('report before friday')
  }, 60_000)

  it('fails as transient when the token table is broken, which kills the process', async () => {
    const tokens = join(work.path, 'broken.txt')
    await writeFile(tokens, 'not a table\n')
    const recognizer = createMoonshineRecognizer({ folder: moonshine.dir, vocabulary, tokens })
    const [outcome] = await recognizer.recognize([{ samples: await fixtureClip('en-office'), language: 'en' }])
    await recognizer.close()
    await rm(tokens)
    expect(outcome).toMatchObject({ ok: false, error: { retryable: true } })
  }, 60_000)

  it('runs as any sherpa-onnx model does, by a catalogue entry alone', async () => {
    const tokens = join(work.path, 'tokens.txt')
    const entry = {
      ...moonshine.entry,
      kind: 'sherpa-offline' as const,
      config: {
        modelConfig: {
          moonshine: { encoder: 'file:encoder_model.onnx', mergedDecoder: 'file:decoder_model_merged.onnx' },
          tokens,
          numThreads: 1,
        },
      },
    }
    // Of the stored kinds: testModel gives no remote one.
    const own = { ...moonshine, name: 'own', entry } as ModelFiles
    const recognizer = createSherpaRecognizer(own, { concurrency: 1 })
    const [outcome] = await recognizer.recognize([{ samples: await fixtureClip('en-train'), language: 'en' }])
    await recognizer.close()
    expect(outcome).toMatchObject({ ok: true, value: { segments: [{ text: expect.stringMatching(/train/i) }] } })
  }, 60_000)
})
