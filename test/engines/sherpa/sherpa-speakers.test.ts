import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSherpaSpeakers } from '../../../src/engines/sherpa/sherpa-speakers.ts'
import type { ModelFiles } from '../../../src/models/ensure-models.ts'
import { ModelEntry } from '../../../src/models/model-entry.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const FILE = { path: 'segmentation.onnx', bytes: 10, sha256: 'a'.repeat(64) }
const ENTRY = {
  kind: 'sherpa-diarization',
  licence: 'MIT',
  files: [FILE, { ...FILE, path: 'embedding.onnx' }],
  sources: [{ from: 'folder', folder: '/models' }],
  config: {
    segmentation: { pyannote: { model: 'file:segmentation.onnx' } },
    embedding: { model: 'file:embedding.onnx' },
    clustering: { numClusters: -1, threshold: 0.5 },
  },
} as const

describe('a diarization model of sherpa-onnx', () => {
  it('is a kind of the catalogue, with a segmentation and an embedding', () => {
    expect(ModelEntry.safeParse(ENTRY).success).toBe(true)
    expect(ModelEntry.safeParse({ ...ENTRY, config: { segmentation: {} } }).success).toBe(false)
  })

  it('is not made of another kind of model', () => {
    const entry = ModelEntry.parse({ ...ENTRY, kind: 'sherpa-tagging' })
    expect(() => createSherpaSpeakers({ name: 'ced', entry, dir: '/models', files: {} })).toThrow('ced is not')
  })

  it('that cannot be loaded fails the clip and nothing else', async () => {
    const folder = await makeTemporaryFolder()
    const files: Record<string, string> = {}
    for (const { path } of ENTRY.files) {
      files[path] = join(folder.path, path)
      await writeFile(files[path] ?? '', 'no model')
    }
    const model: ModelFiles = { name: 'voices-of-nobody', entry: ModelEntry.parse(ENTRY), dir: folder.path, files }
    const speakers = createSherpaSpeakers(model, { firstBackoffMs: 1, maxBackoffMs: 1 })
    try {
      const [outcome] = await speakers.hear([new Float32Array(16_000)])
      expect(outcome).toMatchObject({ ok: false, error: { name: 'LipikError' } })
    } finally {
      await speakers.close()
      await folder.remove()
    }
  }, 60_000)
})
