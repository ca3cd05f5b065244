import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRemoveJobsOf } from '../../src/batches/remove-jobs.ts'
import { replayChunk } from '../../src/worker/replay-chunk.ts'
import { eventually } from '../support/eventually.ts'
import { splitLines } from '../support/instant-engine.ts'
import { Pipeline, QUICK_RETRIES } from '../support/pipeline.ts'

describe('the pipeline', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await Pipeline.open()
  })
  afterEach(() => pipeline.stopWorkers())
  afterAll(() => pipeline.close())

  const submitTexts = async (texts: readonly string[], options: object = {}, user = 'asha') => {
    const { upload, files } = await pipeline.upload(user, texts)
    return { batch: await pipeline.submit(user, { batch_upload_id: upload, ...options }), files }
  }
  const results = async (batch: string) =>
    (await pipeline.get('asha', `/transcribe/results/batch/${batch}?chunks=true&limit=200`)).body.files
  const objectsOf = async (batch: string): Promise<string[]> => {
    const keys: string[] = []
    for await (const key of pipeline.blobs.list('users/')) if (key.includes(`/batches/${batch}/`)) keys.push(key)
    return keys.toSorted()
  }
  const statusOf = (batch: string) =>
    pipeline.db.selectFrom('jobs').selectAll().where('batch_id', '=', batch).orderBy('chunk_index').execute()

  it('cuts, recognises and merges many chunks in order', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `word${at}`)
    pipeline.startFileWorker()
    pipeline.startChunkWorker({ concurrency: 5 })
    const { batch } = await submitTexts([lines.join('\n')])
    expect(await pipeline.ended('asha', batch)).toMatchObject({ status: 'completed' })
    expect((await results(batch))[0].result.text).toBe(lines.join(' '))
  })

  it('collects chunks at the gate; a bad one fails alone', async () => {
    pipeline.startFileWorker()
    const { batch } = await submitTexts(['a\n!bad\nb\nc'])
    await eventually(
      () => statusOf(batch),
      (jobs) => jobs[0]?.phase === 'chunks',
    )
    pipeline.engine.calls.length = 0
    pipeline.startChunkWorker({ concurrency: 1, batchSize: 4, batchWaitMs: 2000 })
    expect(await pipeline.ended('asha', batch)).toMatchObject({ status: 'partial' })
    expect((await results(batch))[0].result.text).toBe('a b c')
    expect(pipeline.engine.calls).toEqual([4])
  })

  it('tries a passing fault again and shows it as retrying meanwhile', async () => {
    pipeline.startFileWorker()
    const slowly = { ...QUICK_RETRIES, chunk: { maxRetries: 3, intervalsSeconds: [1, 0] } }
    pipeline.startChunkWorker({ retries: slowly })
    const { batch } = await submitTexts(['!busy:2 at last'])
    const [, chunk] = await eventually(
      () => statusOf(batch),
      (jobs) => jobs[1]?.status === 'retrying',
    )
    expect(chunk).toMatchObject({ attempts: 1, error: { code: 'engine_busy' } })
    expect(await pipeline.ended('asha', batch)).toMatchObject({ status: 'completed' })
    expect((await results(batch))[0]).toMatchObject({ result: { text: 'at last' }, chunk_results: [{ attempts: 3 }] })
  })

  it('gives up after as many retries as allowed, at once on a fault that will not pass', async () => {
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const { batch } = await submitTexts(['!busy:99 never\nfine', '!bad'])
    expect(await pipeline.ended('asha', batch)).toMatchObject({
      status: 'partial',
      files_completed: 1,
      files_failed: 1,
    })
    const [busy, bad] = await results(batch)
    expect(busy.errors).toMatchObject([{ chunk_index: 0, code: 'engine_busy', attempts: 4 }])
    expect(bad.errors).toMatchObject([{ chunk_index: 0, code: 'audio_corrupt', attempts: 1 }])
  })

  it('puts retries on their own queue in separate mode', async () => {
    pipeline.startFileWorker()
    const separate = { ...QUICK_RETRIES, separateQueues: true, separate: { maxRetries: 1, intervalsSeconds: [0] } }
    pipeline.startChunkWorker({ retries: separate })
    const { batch } = await submitTexts(['!busy:1 second time'])
    expect(await pipeline.ended('asha', batch)).toMatchObject({ status: 'completed' })
    expect((await results(batch))[0].chunk_results).toMatchObject([{ attempts: 2 }])
  })

  it('fails a file whose cutting breaks off; chunks already out run to their end, none twice', async () => {
    const lines = Array.from({ length: 9 }, (_, at) => `w${at}`)
    pipeline.startFileWorker()
    const { batch } = await submitTexts([[...lines, '!broken'].join('\n')])
    await pipeline.ended('asha', batch)
    pipeline.startChunkWorker()
    const jobs = await eventually(
      () => statusOf(batch),
      (all) => all.every(({ finished_at }) => finished_at !== null),
    )
    expect(jobs[0]).toMatchObject({
      status: 'failed',
      attempts: 1,
      chunks_done: 8,
      total_chunks: 8,
      error: { code: 'audio_corrupt' },
    })
    expect(jobs.slice(1).map(({ status }) => status)).toEqual(Array(8).fill('completed'))
  })

  it('a stopping worker gives its work back at once, and it is no attempt', async () => {
    pipeline.startFileWorker()
    const leaving = pipeline.startChunkWorker()
    const { batch } = await submitTexts(['!slow:60000 long'])
    await eventually(
      () => statusOf(batch),
      (jobs) => jobs[1]?.status === 'processing',
    )
    await leaving.close()
    const [, chunk] = await statusOf(batch)
    expect(chunk).toMatchObject({ status: 'queued', attempts: 0, worker_id: null })
    expect(await pipeline.db.selectFrom('workers').select('id').where('mode', '=', 'chunk').execute()).toEqual([])
    await pipeline.post('asha', `/transcribe/batch/${batch}/cancel`)
  })

  it('a cancelled batch ends; what its workers still bring is dropped', async () => {
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const { batch } = await submitTexts(['!slow:300 late', 'other'])
    await eventually(
      () => statusOf(batch),
      (jobs) => jobs.some(({ kind, status }) => kind === 'chunk' && status === 'processing'),
    )
    await pipeline.post('asha', `/transcribe/batch/${batch}/cancel`)
    const ended = await pipeline.ended('asha', batch)
    expect(ended.files_completed + ended.files_failed).toBe(2)
    const late = (await results(batch))[0]
    expect(late).toMatchObject({
      status: 'failed',
      errors: [{ code: 'cancelled' }, { code: 'cancelled', chunk_index: 0 }],
    })
    expect(await pipeline.post('ravi', `/transcribe/batch/${batch}/cancel`)).toMatchObject({ status: 404 })
  })

  it('keeps audio and records of chunks, or deletes them when the file has ended', async () => {
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const kept = await submitTexts(['a\nb'])
    await pipeline.ended('asha', kept.batch)
    expect((await objectsOf(kept.batch)).map((key) => key.split('/').at(-1))).toEqual([
      '000000.json',
      '000000.wav',
      '000001.json',
      '000001.wav',
    ])
    const [{ chunk_results }] = await results(kept.batch)
    const again = await replayChunk(
      { ...pipeline, db: pipeline.db, transcriber: pipeline.engine },
      chunk_results[1].chunk_id,
    )
    expect(again).toMatchObject({ text_then: 'b', text_now: 'b', same: true })
    await pipeline.stopWorkers()
    pipeline.startFileWorker({ keepObjects: false })
    pipeline.startChunkWorker({ keepObjects: false })
    const { batch } = await submitTexts(['a\nb', '!bad', '!broken'])
    await pipeline.ended('asha', batch)
    await eventually(
      () => objectsOf(batch),
      (keys) => keys.length === 0,
    )
  })

  it('counts the removed jobs and objects of a deleted file, and forgets it in its batch', async () => {
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const { batch, files } = await submitTexts(['a\nb', 'c'])
    await pipeline.ended('asha', batch)
    const removed = await pipeline.db
      .transaction()
      .execute((trx) => createRemoveJobsOf({ keepObjects: true })(trx, files.slice(0, 1)))
    expect(removed.jobs).toBe(3)
    expect([...removed.objectKeys].toSorted()).toEqual((await objectsOf(batch)).slice(0, 4).toSorted())
    const { body } = await pipeline.get('asha', `/transcribe/results/batch/${batch}`)
    expect(body).toMatchObject({ total_files: 1, count: 1, files: [{ file_id: files[1] }] })
    expect(await pipeline.get('asha', `/transcribe/results/file/${files[0]}`)).toMatchObject({ status: 404 })
  })

  it('writes in the script that was asked for, without tags where none are wanted', async () => {
    pipeline.startFileWorker({ splitAudio: splitLines })
    pipeline.startChunkWorker()
    const { batch } = await submitTexts(['namaste dosto'], { script: 'devanagari', tags: false, language: 'hi' })
    await pipeline.ended('asha', batch)
    expect((await results(batch))[0].result.text).toMatch(/^[\u0900-\u097F ]+$/)
  })

  it('tells the listener of a batch that it ended, signed', async () => {
    const heard: { signature: string; body: string }[] = []
    const listener = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      heard.push({ signature: String(request.headers['lipik-signature']), body })
      response.end()
    })
    await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready))
    try {
      pipeline.startFileWorker()
      pipeline.startChunkWorker()
      const { upload } = await pipeline.upload('asha', ['a'])
      const webhook_url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/ended`
      const { body } = await pipeline.post('asha', '/transcribe/batch', { batch_upload_id: upload, webhook_url })
      const [call] = await eventually(
        async () => heard,
        (calls) => calls.length > 0,
      )
      expect(JSON.parse(call?.body ?? '')).toMatchObject({
        type: 'batch.ended',
        batch_id: body.batch_id,
        status: 'completed',
      })
      const [, time, given] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(call?.signature ?? '') ?? []
      expect(given).toBe(createHmac('sha256', body.webhook_secret).update(`${time}.${call?.body}`).digest('hex'))
    } finally {
      listener.close()
    }
  })
})
