import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BatchId, newId } from '../../src/platform/ids.ts'
import { Pipeline } from '../support/pipeline.ts'

describe('results of a batch', () => {
  let pipeline: Pipeline
  let batch: string
  let files: string[]
  beforeAll(async () => {
    pipeline = await Pipeline.open({ development: true })
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    const uploaded = await pipeline.upload('asha', ['one two\nthree', 'four\n!bad\nsix', '!bad', '!broken', ''])
    files = uploaded.files
    batch = await pipeline.submit('asha', { batch_upload_id: uploaded.upload })
    await pipeline.ended('asha', batch)
  })
  afterAll(() => pipeline.close())
  const get = (path: string, user = 'asha') => pipeline.get(user, `/transcribe/${path}`)

  it('count completed and partial files together, failed ones apart', async () => {
    expect((await get(`status/batch/${batch}`)).body).toMatchObject({
      batch_id: batch,
      status: 'partial',
      total_files: 5,
      files_completed: 3,
      files_failed: 2,
      total_jobs: 11,
      completed_jobs: 7,
      failed_jobs: 4,
      processing_jobs: 0,
      queued_jobs: 0,
      files_processing: 0,
    })
  })

  it('show merged files in the order of submission', async () => {
    const { body } = await get(`results/batch/${batch}?limit=2&page=1`)
    expect(body).toMatchObject({ batch_id: batch, page: 1, limit: 2, total_pages: 3, total_files: 5, count: 2 })
    const [whole, partial] = body.files
    expect(whole).toEqual({
      file_id: files[0],
      filename: 'file-0.wav',
      status: 'completed',
      batch_id: batch,
      result: { text: 'one two three', language: 'en', languages: ['en'], duration_seconds: 2 },
      total_chunks: 2,
      completed_chunks: 2,
      failed_chunks: 0,
    })
    expect(partial).toMatchObject({
      status: 'partial',
      result: { text: 'four six' },
      errors: [{ chunk_index: 1, code: 'audio_corrupt', attempts: 1 }],
    })
    const last = await get(`results/batch/${batch}?limit=2&page=3`)
    expect(last.body).toMatchObject({
      count: 1,
      files: [{ file_id: files[4], status: 'completed', result: { text: '' } }],
    })
    expect((await get(`results/batch/${batch}?limit=2&page=4`)).body).toMatchObject({ count: 0, files: [] })
  })

  it('filter by the exact status', async () => {
    const failed = await get(`results/batch/${batch}?status=failed`)
    expect(failed.body).toMatchObject({ total_files: 2, count: 2, total_pages: 1 })
    expect(failed.body.files[1]).toMatchObject({
      file_id: files[3],
      errors: [{ chunk_index: null, code: 'audio_corrupt', message: 'the recording is damaged' }],
    })
    expect((await get(`results/batch/${batch}?status=retrying`)).body).toMatchObject({ total_files: 0, total_pages: 0 })
  })

  it('show chunks and speech where they are asked for', async () => {
    const { body } = await get(`results/file/${files[0]}?chunks=true&speech_information=true`)
    expect(body.result.segments).toHaveLength(2)
    expect(body.result.segments[1]).toMatchObject({
      start: 1,
      end: 2,
      text: 'three',
      words: [{ word: 'three', start: 1, end: 2 }],
    })
    expect(body.chunk_results).toMatchObject([
      { chunk_index: 0, status: 'completed', start: 0, end: 1, attempts: 1, text: 'one two' },
      { chunk_index: 1, status: 'completed', start: 1, end: 2, attempts: 1, text: 'three', segments: [{ start: 1 }] },
    ])
    expect((await get(`results/file/${files[0]}`)).body.result.segments).toBeUndefined()
  })

  it('are given raw as jobs', async () => {
    const { body } = await get(`results/batch/${batch}?raw=true&limit=4`)
    expect(body).toMatchObject({ total_jobs: 11, total_pages: 3, count: 4 })
    expect(
      body.jobs.map(({ kind, chunk_index }: { kind: string; chunk_index: number }) => [kind, chunk_index]),
    ).toEqual([
      ['file', null],
      ['chunk', 0],
      ['chunk', 1],
      ['file', null],
    ])
    expect(body.jobs[0]).toMatchObject({
      status: 'completed',
      attempts: 1,
      error: null,
      result: { text: 'one two three' },
    })
    expect(body.jobs[1]).toMatchObject({ result: { text: 'one two', engine: 'instant' } })
  })

  it('are given raw with speech information to whoever asks for it alone', async () => {
    const shown = async (query: string) => {
      const { body } = await get(`results/batch/${batch}?raw=true&limit=2${query}`)
      return body.jobs.map(({ result }: { result: { segments?: unknown[] } }) => result.segments?.length)
    }
    expect(await shown('')).toEqual([undefined, undefined])
    expect(await shown('&speech_information=true')).toEqual([2, 1])
  })

  it('are downloaded as lines and as one object', async () => {
    const download = (query: string) =>
      pipeline.app.inject({
        url: `/transcribe/download/batch/${batch}${query}`,
        headers: { authorization: 'Bearer asha' },
      })
    const lines = await download('')
    expect(lines.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="batch-${batch}.ndjson"`,
    })
    const page = await get(`results/batch/${batch}`)
    expect(lines.body.endsWith('}\n')).toBe(true)
    expect(
      lines.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(page.body.files)
    expect((await download('?format=json')).json()).toEqual({ batch_id: batch, total_files: 5, files: page.body.files })
    expect((await download('?format=json&status=failed')).json()).toMatchObject({ total_files: 2 })
    const raw = await get(`results/batch/${batch}?raw=true&limit=200`)
    expect((await download('?format=json&raw=true')).json()).toEqual({
      batch_id: batch,
      total_jobs: 11,
      jobs: raw.body.jobs,
    })
    expect((await download('?status=queued')).body).toBe('')
  })

  it('are read as subtitles and text', async () => {
    const read = (format: string) =>
      pipeline.app.inject({
        url: `/transcribe/results/file/${files[0]}/transcript.${format}`,
        headers: { authorization: 'Bearer asha' },
      })
    expect((await read('srt')).body).toContain('00:00:00,000 --> 00:00:01,000\none two')
    expect((await read('vtt')).body).toMatch(/^WEBVTT/)
    expect((await read('txt')).body).toBe('one two three\n')
    expect((await read('pdf')).statusCode).toBe(400)
    expect(await get(`results/file/${files[3]}/transcript.srt`)).toMatchObject({ status: 409 })
  })

  it('are read in other letters than they were written in', async () => {
    const { upload, files } = await pipeline.upload('asha', ['namaste namaste'])
    const mixed = await pipeline.submit('asha', { batch_upload_id: upload })
    await pipeline.ended('asha', mixed)
    const path = `results/file/${files[0]}`
    const { body } = await get(`${path}?speech_information=true&script=devanagari`)
    expect(body.result).toMatchObject({
      text: 'नमस्ते नमस्ते',
      segments: [{ words: [{ word: 'नमस्ते' }, { word: 'नमस्ते' }] }],
    })
    expect((await get(`${path}?script=devanagari`)).body.result).toEqual({
      text: 'नमस्ते नमस्ते',
      language: 'en',
      languages: ['en'],
      duration_seconds: 1,
    })
    expect((await get(path)).body.result.text).toBe('namaste namaste')
    const plain = await pipeline.app.inject({
      url: `/transcribe/${path}/transcript.txt?script=devanagari`,
      headers: { authorization: 'Bearer asha' },
    })
    expect(plain.body).toBe('नमस्ते नमस्ते\n')
    expect((await get(`${path}?script=urdu`)).status).toBe(400)
  })

  it('of nobody and of others are not there', async () => {
    const unknown = newId<BatchId>()
    for (const [id, user] of [
      [unknown, 'asha'],
      ['nonsense', 'asha'],
      [batch, 'ravi'],
    ] as const) {
      expect(await get(`results/batch/${id}`, user)).toMatchObject({ status: 404, body: { error: 'batch not found' } })
      expect(await get(`results/batch/${id}?status=failed`, user)).toMatchObject({
        status: 200,
        body: { count: 0, files: [] },
      })
      expect(await get(`status/batch/${id}`, user)).toMatchObject({ status: 404, body: { detail: 'batch not found' } })
      expect(await get(`download/batch/${id}`, user)).toMatchObject({
        status: 404,
        body: { detail: 'batch not found' },
      })
    }
    expect(await get(`results/file/${files[0]}`, 'ravi')).toMatchObject({
      status: 404,
      body: { error: 'file not found' },
    })
    expect(await get(`results/file/${files[0]}/transcript.txt`, 'ravi')).toMatchObject({
      status: 404,
      body: { error: 'file not found' },
    })
    for (const query of ['page=0', 'limit=201', 'limit=x', 'status=done', 'raw=maybe']) {
      expect(await get(`results/batch/${batch}?${query}`)).toMatchObject({ status: 400 })
    }
  })

  it('are followed as events until the end', async () => {
    const { body, headers } = await pipeline.app.inject({
      url: `/transcribe/status/batch/${batch}/events`,
      headers: { authorization: 'Bearer asha' },
    })
    expect(headers['content-type']).toContain('text/event-stream')
    const [progress = '', end = ''] = body.trim().split('\n\n')
    expect(progress.startsWith('event: progress\ndata: {')).toBe(true)
    expect(JSON.parse(end.slice('event: end\ndata: '.length))).toMatchObject({ status: 'partial' })
  })

  it('are made anew for failed and partial files by a retry', async () => {
    await pipeline.engine.transcribe([])
    expect((await pipeline.post('asha', `/transcribe/batch/${batch}/retry`)).body).toEqual({
      batch_id: batch,
      files: 3,
    })
    expect(await pipeline.ended('asha', batch)).toMatchObject({ files_completed: 3, files_failed: 2 })
    expect(await pipeline.post('ravi', `/transcribe/batch/${batch}/retry`)).toMatchObject({ status: 404 })
  })
})
