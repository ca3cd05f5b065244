import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pipeline } from '../support/pipeline.ts'

describe('turns between users', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await Pipeline.open()
  })
  afterAll(() => pipeline.close())

  it('bring a single file through beside a batch of hundreds, and do not stop that batch', async () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ url: `http://example.com/${at}` }))
    const recording = async function* () {
      yield Buffer.from('one\ntwo\nthree')
    }
    const large = await pipeline.submit('greedy', { sources: many })
    pipeline.startFileWorker({ concurrency: 1, fetchAudio: async () => recording() })
    pipeline.startChunkWorker({ concurrency: 1 })
    const progress = async () =>
      (await pipeline.get('greedy', `/transcribe/status/batch/${large}`)).body.files_completed
    while ((await progress()) < 5);
    const single = await pipeline.submit('modest', { sources: [{ url: 'http://example.com/mine' }] })
    const before = await progress()
    await pipeline.ended('modest', single)
    const overtaken = (await progress()) - before
    // Each queue lets the other user's next job go first, and the workers were in the middle of one.
    expect(overtaken).toBeLessThan(30)
    const more = Array.from({ length: 40 }, (_, at) => ({ url: `http://example.com/more/${at}` }))
    const second = await pipeline.submit('modest', { sources: more })
    const middle = await progress()
    await pipeline.ended('modest', second)
    // Forty files of one user do not stop the other: they share, about one for one.
    expect((await progress()) - middle).toBeGreaterThan(10)
    await pipeline.post('greedy', `/transcribe/batch/${large}/cancel`)
  }, 120_000)
})
