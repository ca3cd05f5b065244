import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashUser } from '../../src/platform/identity/user-hash.ts'
import { type FileId, newId, type UserId } from '../../src/platform/ids.ts'
import { Pipeline } from '../support/pipeline.ts'

describe('POST /transcribe/batch', () => {
  let pipeline: Pipeline
  beforeAll(async () => {
    pipeline = await Pipeline.open()
  })
  afterAll(() => pipeline.close())
  const submit = (user: string, payload: object, headers = {}) =>
    pipeline.post(user, '/transcribe/batch', payload, headers)
  const nothingWritten = async (): Promise<void> => {
    expect(await pipeline.db.selectFrom('batches').select('id').where('user_id', '=', 'ravi').execute()).toEqual([])
    expect(await pipeline.db.selectFrom('jobs').select('id').where('user_id', '=', 'ravi').execute()).toEqual([])
  }

  it('answers with one queued job for each file, in order', async () => {
    const { upload, files } = await pipeline.upload('asha', ['a\nb', 'c'])
    const { status, body } = await submit('asha', { batch_upload_id: upload, file_ids: [files[1]] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total_jobs: 2, estimated_audio_seconds: 3 })
    expect(body.estimated_completion_seconds).toBeGreaterThan(0)
    expect(body.jobs).toEqual(
      files.map((file_id, at) => ({ file_id, filename: `file-${at}.wav`, batch_id: body.batch_id, status: 'queued' })),
    )
  })

  it('refuses in the order of the contract, and writes nothing', async () => {
    const foreign = await pipeline.upload('asha', ['a'])
    const pending = await pipeline.upload('ravi', ['a'], 'pending')
    const own = await pipeline.upload('ravi', ['a'])
    const unknown = newId<FileId>()
    const twoWays = [{ gcs_key: 'x', url: 'http://example.com' }]
    const cases: [number, object][] = [
      [400, { file_ids: 'x' }],
      [400, { script: 'latin' }],
      [400, { file_ids: own.files, language: 'fr' }],
      [404, { batch_upload_id: unknown }],
      [404, { batch_upload_id: 'nonsense' }],
      [404, { file_ids: [unknown] }],
      [404, { file_ids: foreign.files }],
      [404, { batch_upload_id: foreign.upload, file_ids: [unknown] }],
      [403, { batch_upload_id: foreign.upload }],
      [403, { batch_upload_id: foreign.upload, file_ids: pending.files }],
      [409, { batch_upload_id: pending.upload }],
      [409, { file_ids: pending.files }],
      [409, { file_ids: pending.files, sources: twoWays }],
      [400, {}],
      [400, { file_ids: [], sources: [] }],
      [400, { file_ids: own.files, sources: twoWays }],
      [400, { file_ids: own.files, sources: [{}] }],
      [404, { sources: [{ gcs_key: 'users/someone/else' }] }],
      [404, { sources: [{ gcs_key: `users/${hashUser('asha' as UserId)}/uploads/x` }] }],
      [404, { sources: [{ gcs_key: `users/${hashUser('ravi' as UserId)}/../${hashUser('asha' as UserId)}/x` }] }],
    ]
    for (const [expected, payload] of cases) {
      const { status, body } = await submit('ravi', payload)
      expect({ status, payload }).toEqual({ status: expected, payload })
      expect(body.detail).toBeDefined()
    }
    await nothingWritten()
  })

  it('leaves out failed files of an upload; one with nothing else names no file', async () => {
    const { upload } = await pipeline.upload('ravi', ['a'], 'failed')
    expect(await submit('ravi', { batch_upload_id: upload })).toMatchObject({ status: 400 })
    await nothingWritten()
  })

  it('takes the same file once, however it is named, and gives an address the same id each time', async () => {
    const { files } = await pipeline.upload('asha', ['a'])
    const row = await pipeline.db
      .selectFrom('files')
      .selectAll()
      .where('id', '=', files[0] ?? '')
      .executeTakeFirstOrThrow()
    const url = 'http://example.com/call.mp3?x=1'
    const sources = [{ gcs_key: row.storage_key }, { url }, { url, filename: 'named.mp3' }]
    const first = await submit('asha', { file_ids: [files[0], files[0]], sources })
    expect(first.body.total_jobs).toBe(2)
    const again = await submit('asha', { sources: [{ url }] })
    expect(again.body.jobs[0]).toMatchObject({ file_id: first.body.jobs[1].file_id, filename: 'call.mp3' })
    expect((await submit('ravi2', { sources: [{ url }] })).body.jobs[0].file_id).not.toBe(again.body.jobs[0].file_id)
  })

  it('gives the first answer again for the same key and body', async () => {
    const { files } = await pipeline.upload('asha', ['a', 'b'])
    const key = { 'idempotency-key': 'once' }
    const first = await submit('asha', { file_ids: [files[0]] }, key)
    const again = await submit('asha', { file_ids: [files[0]] }, key)
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await submit('asha', { file_ids: [files[1]] }, key)).toMatchObject({ status: 409 })
  })

  it('keeps to the limits of a batch, the queue and the day', async () => {
    const { files } = await pipeline.upload('meera', ['a', 'b', 'c'])
    const submitSettings = { maxBatchFiles: 2, maxQueueDepth: 100_000, silentSeconds: 25 }
    await pipeline.openApp({ submit: submitSettings })
    expect(await submit('meera', { file_ids: files })).toMatchObject({ status: 400 })
    await pipeline.openApp({ submit: { ...submitSettings, maxQueueDepth: 1 } })
    const full = await submit('meera', { file_ids: files.slice(0, 2) })
    expect(full).toMatchObject({ status: 503 })
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0)
    await pipeline.openApp({ submit: { ...submitSettings, quota: { filesPerDay: 2, audioSecondsPerDay: 1000 } } })
    expect(await submit('meera', { file_ids: files.slice(0, 2) })).toMatchObject({ status: 200 })
    const used = await submit('meera', { file_ids: files.slice(2) })
    expect(used).toMatchObject({ status: 429 })
    expect(Number(used.headers['retry-after'])).toBeGreaterThan(0)
    await pipeline.openApp({ submit: { ...submitSettings, quota: { filesPerDay: 100, audioSecondsPerDay: 2 } } })
    expect(await submit('meera', { file_ids: files.slice(2) })).toMatchObject({ status: 429 })
    await pipeline.openApp()
  })
})
