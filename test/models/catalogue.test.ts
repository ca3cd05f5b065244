import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withModelsTable } from '../../scripts/render-models.ts'
import { BUILT_IN_MODELS } from '../../src/models/built-in-models.ts'
import { findModel, loadCatalogue, RECOGNITION_MODELS, SYNTHESIS_MODELS } from '../../src/models/catalogue.ts'
import { defaultModelsDir } from '../../src/models/default-models-dir.ts'
import { ModelEntry } from '../../src/models/model-entry.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const sha256 = 'a'.repeat(64)
let folder: TemporaryFolder

beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(() => folder.remove())

async function written(content: unknown): Promise<string> {
  const file = join(folder.path, 'my-models.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('the catalogue', () => {
  it('holds only entries of the declared form', () => {
    for (const [name, entry] of Object.entries(BUILT_IN_MODELS)) expect(ModelEntry.parse(entry), name).toEqual(entry)
  })

  it('knows the models the service starts with', () => {
    for (const name of [...RECOGNITION_MODELS, ...SYNTHESIS_MODELS])
      expect(findModel(BUILT_IN_MODELS, name).licence).toMatch(/^(MIT|Apache-2\.0)$/)
  })

  it('takes a Whisper, a sherpa-onnx model and a server from the user’s file', async () => {
    const files = [{ path: 'onnx/model.onnx', bytes: 10, sha256 }]
    const file = await written({
      models: {
        'whisper-large': { kind: 'whisper', licence: 'MIT', files, sources: [{ from: 'folder', folder: 'large' }] },
        'indic-ctc': {
          kind: 'sherpa-offline',
          licence: 'MIT',
          languages: ['hi'],
          files,
          sources: [{ from: 'hub', url: 'https://example.org/indic/' }],
          config: { modelConfig: { nemoCtc: { model: 'file:onnx/model.onnx' } } },
        },
        'gpu-server': { kind: 'remote', licence: 'n/a', url: 'http://gpu:8000/v1', model: 'large-v3' },
      },
    })
    const catalogue = await loadCatalogue(file)
    expect(catalogue['whisper-large']).toMatchObject({ sources: [{ folder: join(folder.path, 'large') }] })
    expect(catalogue['indic-ctc']).toMatchObject({ languages: ['hi'] })
    expect(catalogue['gpu-server']).toMatchObject({ model: 'large-v3' })
    expect(catalogue['whisper-small']).toBe(BUILT_IN_MODELS['whisper-small'])
  })

  it('names every fault of the user’s file', async () => {
    const file = await written({
      models: {
        Bad: { kind: 'whisper', licence: 'MIT', files: [], sources: [] },
        out: {
          kind: 'whisper',
          licence: 'MIT',
          files: [{ path: '../x', bytes: 0, sha256: 'no' }],
          sources: [{ from: 'npm', package: 'no-version' }],
        },
        odd: { kind: 'telepathy' },
      },
    })
    const failed = await loadCatalogue(file).then(
      () => new Error('it was taken'),
      (error: Error) => error,
    )
    expect(failed).toMatchObject({ code: 'invalid_request' })
    const parts = [
      file,
      'models.Bad',
      'models.out.files.0.path',
      'bytes',
      'SHA-256',
      'exact version',
      'models.odd.kind',
    ]
    for (const part of parts) expect(failed.message).toContain(part)
  })

  it('says when the file is missing or no JSON', async () => {
    await expect(loadCatalogue('/nowhere/models.json')).rejects.toThrow(/cannot read .*\/nowhere\/models\.json/)
    await expect(loadCatalogue(await written('{'))).rejects.toThrow(/is not JSON/)
  })

  it('stands on its page as it is (npm run docs)', async () => {
    const page = await readFile('docs/models.md', 'utf8')
    expect(page).toBe(withModelsTable(page))
  })

  it('takes the example of its page', async () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(await readFile('docs/models.md', 'utf8')) ?? []
    expect(Object.keys(await loadCatalogue(await written(example)))).toContain('indic-conformer')
  })

  it('names the known models when asked for another', () => {
    expect(() => findModel(BUILT_IN_MODELS, 'constructor')).toThrow(/"constructor"; the catalogue has: .*whisper-small/)
  })
})

describe('the folder of models', () => {
  it('is in the user’s cache', () => {
    expect(defaultModelsDir({ XDG_CACHE_HOME: '/c' })).toBe('/c/lipik/models')
    expect(defaultModelsDir({}, 'linux')).toMatch(/\.cache\/lipik\/models$/)
    expect(defaultModelsDir({}, 'darwin')).toMatch(/Library\/Caches\/lipik\/models$/)
  })
})
