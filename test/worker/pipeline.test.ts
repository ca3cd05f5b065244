import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Pipeline } from '../support/pipeline.ts'

describe('a submitted batch', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await Pipeline.open()
  })
  afterEach(() => pipeline.stopWorkers())
  afterAll(() => pipeline.close())

  it('is cut, recognised, merged and read', async () => {
    const { upload } = await pipeline.upload('asha', ['one\ntwo\nthree', 'four'])
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const batch = await pipeline.submit('asha', { batch_upload_id: upload })
    expect(await pipeline.ended('asha', batch)).toMatchObject({
      status: 'completed',
      files_completed: 2,
      files_failed: 0,
    })
    const { body } = await pipeline.get('asha', `/transcribe/results/batch/${batch}`)
    expect(body).toMatchObject({ page: 1, limit: 50, total_pages: 1, total_files: 2, count: 2 })
    expect(body.files.map((file: { result: { text: string } }) => file.result.text)).toEqual(['one two three', 'four'])
  })
})
