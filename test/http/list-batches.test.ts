import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Pipeline } from '../support/pipeline.ts'

let pipeline: Pipeline
const ids: Record<string, string> = {}

type Listed = { readonly batch_id: string; readonly status: string; readonly first_filename: string }
const list = async (query = '', user = 'asha') => {
  const { status, body } = await pipeline.get(user, `/transcribe/batches?${query}`)
  const batches: Listed[] = body.batches ?? []
  return { status, body, names: batches.map(({ batch_id }) => Object.keys(ids).find((name) => ids[name] === batch_id)) }
}

async function submit(name: string, texts: readonly string[]): Promise<void> {
  const { upload } = await pipeline.upload('asha', texts)
  ids[name] = await pipeline.submit('asha', { batch_upload_id: upload })
}

beforeAll(async () => {
  pipeline = await Pipeline.open()
  pipeline.startFileWorker()
  pipeline.startChunkWorker()
  await submit('good', ['one', 'two'])
  await submit('mixed', ['one', '!bad'])
  await submit('bad', ['!bad'])
  for (const id of Object.values(ids)) await pipeline.ended('asha', id)
  await pipeline.stopWorkers()
  await submit('waiting', ['three', 'four', 'five'])
})
afterAll(() => pipeline.close())

describe('the list of batches', () => {
  it('has them newest first, with their progress', async () => {
    const { body, names } = await list()
    expect(names).toEqual(['waiting', 'bad', 'mixed', 'good'])
    expect(body).toMatchObject({ page: 1, limit: 50, total_pages: 1, total_batches: 4, count: 4, as_of: ids.waiting })
    expect(body.batches[2]).toMatchObject({ status: 'partial', files_completed: 1, files_failed: 1, total_files: 2 })
    expect(body.batches[0]).toMatchObject({ status: 'queued', first_filename: 'file-0.wav', finished_at: null })
    for (const each of body.batches) {
      const { body: alone } = await pipeline.get('asha', `/transcribe/status/batch/${each.batch_id}`)
      const { first_filename: _, estimated_completion_seconds: __, ...listed } = each
      expect(alone).toMatchObject(listed)
    }
  })

  it('filters by status as the batches themselves say it', async () => {
    expect((await list('status=completed')).names).toEqual(['good'])
    expect((await list('status=partial')).names).toEqual(['mixed'])
    expect((await list('status=failed')).names).toEqual(['bad'])
    expect((await list('status=queued')).names).toEqual(['waiting'])
    expect((await list('status=processing')).names).toEqual([])
    expect((await list('status=done')).status).toBe(400)
  })

  it('finds a file by part of its name, taken literally, and a batch by its id', async () => {
    expect((await list('search=LE-2')).names).toEqual(['waiting'])
    expect((await list('search=file%25')).names).toEqual([])
    expect((await list('search=file_0')).names).toEqual([])
    expect((await list(`search=${ids.mixed}`)).names).toEqual(['mixed'])
  })

  it('comes in pages that do not shift when a batch is added', async () => {
    const first = await list('limit=3')
    await submit('later', ['six'])
    expect((await list(`limit=3&page=2&as_of=${first.body.as_of}`)).names).toEqual(['good'])
    expect((await list('limit=3')).names).toEqual(['later', 'waiting', 'bad'])
    expect((await list('page=9')).body).toMatchObject({ count: 0, total_batches: 5 })
  })

  it("shows nobody else's", async () => {
    expect((await list('', 'ravi')).body).toMatchObject({ total_batches: 0, batches: [] })
    expect((await list(`as_of=${ids.waiting}`, 'ravi')).body).toMatchObject({ total_batches: 0 })
  })

  it('loses a batch that is deleted, and its results with it', async () => {
    const remove = async (id: string | undefined, user = 'asha') =>
      pipeline.app.inject({
        method: 'DELETE',
        url: `/transcribe/batch/${id}`,
        headers: { authorization: `Bearer ${user}` },
      })
    expect((await remove(ids.waiting, 'ravi')).statusCode).toBe(404)
    expect((await remove('nonsense')).statusCode).toBe(404)
    expect((await remove(ids.waiting)).json()).toEqual({ batch_id: ids.waiting, files: 3 })
    expect((await remove(ids.mixed)).json()).toEqual({ batch_id: ids.mixed, files: 2 })
    expect((await list()).names).toEqual(['later', 'bad', 'good'])
    expect((await pipeline.get('asha', `/transcribe/status/batch/${ids.mixed}`)).status).toBe(404)
    pipeline.startFileWorker()
    pipeline.startChunkWorker()
    expect(await pipeline.ended('asha', ids.later ?? '')).toMatchObject({ status: 'completed' })
  })
})
