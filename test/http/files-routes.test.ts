import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { userPrefix } from '../../src/files/storage-key.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { eventually } from '../support/eventually.ts'
import { FilesHarness } from '../support/files-app.ts'
import { FORM_TYPE, multipartForm } from '../support/multipart-form.ts'
import { wavBytes } from '../support/wav-bytes.ts'

const UNKNOWN = '01890000-0000-7000-8000-000000000000'

let house: FilesHarness
beforeAll(async () => {
  house = await FilesHarness.make()
})
afterAll(() => house.destroy())
beforeEach(() => house.open())
afterEach(async () => {
  await house.close()
  await house.db.deleteFrom('files').execute()
})

const completed = (id: string, user = 'asha') =>
  eventually(
    async () => (await house.send({ url: `/files/upload/${id}` }, user)).json(),
    ({ status }) => status !== 'accepted',
  )

const accept = async (names: readonly string[], user = 'asha') => {
  const response = await house.upload(
    names.map((filename) => ({ filename, bytes: wavBytes(4_044) })),
    user,
  )
  expect(response.statusCode).toBe(202)
  return response.json()
}

describe('POST /files/upload', () => {
  it('answers at once, and storage has the same bytes in the end', async () => {
    const sent = [wavBytes(32_044), wavBytes(100_044)]
    const response = await house.upload(sent.map((bytes, at) => ({ filename: `कॉल ${at}.wav`, bytes })))
    const upload = response.json()
    expect(response.statusCode).toBe(202)
    expect(upload).toMatchObject({ status: 'accepted', total_files: 2, spool_seconds: expect.any(Number) })
    expect(upload.files[0]).toEqual({
      file_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'कॉल 0.wav',
      size_bytes: 32_044,
      estimated_duration_seconds: 1,
      upload_status: 'pending',
      batch_upload_id: upload.batch_upload_id,
      content_type: 'audio/wav',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })

    const done = await completed(upload.batch_upload_id)
    expect(done).toMatchObject({
      status: 'completed',
      total_files: 2,
      completed: 2,
      failed: 0,
      uploading: 0,
      pending: 0,
    })
    for (const [at, file] of done.files.entries()) {
      const { file_id, gcs_key } = file
      expect(gcs_key).toBe(`${userPrefix('asha' as UserId)}uploads/${upload.batch_upload_id}/${file_id}/कॉल_${at}.wav`)
      expect(await sha256(gcs_key)).toBe(
        createHash('sha256')
          .update(sent[at] ?? '')
          .digest('hex'),
      )
    }
    await eventually(
      () => house.spooled(),
      (left) => left.length === 0,
    )
  })

  it.each([
    ['no part at all', [], /no part named "files"/],
    ['a text field only', [{ name: 'note', bytes: 'hello' }], /no part named "files"/],
    ['a file under another name', [{ name: 'file', filename: 'a.wav', bytes: 'x' }], /named "files"/],
    ['a part without a file name', [{ bytes: 'x' }], /with a file name/],
    ['an empty file', [{ filename: 'void.wav', bytes: '' }], /"void.wav": .*empty/],
    ['a file that is not audio', [{ filename: 'notes.wav', bytes: 'dear diary'.repeat(500) }], /"notes.wav": /],
    ['a NUL in a name', [{ filename: 'a\0b.wav', bytes: wavBytes(4_044) }], /NUL/],
  ])('refuses %s as a whole', async (_, parts, message) => {
    const response = await house.upload(parts)
    expect(response.statusCode).toBe(400)
    expect(JSON.stringify(response.json().detail).replaceAll('\\"', '"')).toMatch(message)
    await expectNothingKept()
  })

  it('names every bad file, and keeps none of the good ones', async () => {
    const response = await house.upload([
      { filename: 'good.wav', bytes: wavBytes(4_044) },
      { filename: 'bad.txt', bytes: 'not audio, only words' },
      { filename: 'empty.mp3', bytes: '' },
    ])
    expect(response.statusCode).toBe(400)
    expect(response.json().detail.errors).toEqual([
      { path: 'files.1', filename: 'bad.txt', message: expect.any(String) },
      { path: 'files.2', filename: 'empty.mp3', message: expect.any(String) },
    ])
    await expectNothingKept()
  })

  it('refuses a file over the limit with 413 and its name', async () => {
    const response = await house.upload([
      { filename: 'small.wav', bytes: wavBytes(4_044) },
      { filename: 'large.wav', bytes: wavBytes(4 * 1024 * 1024 + 2) },
    ])
    expect(response.statusCode).toBe(413)
    expect(response.json().detail).toMatchObject({ filename: 'large.wav' })
    await expectNothingKept()
  })

  it('takes a file of exactly the limit', async () => {
    const response = await house.upload([{ filename: 'limit.wav', bytes: wavBytes(4 * 1024 * 1024) }])
    expect(response.statusCode).toBe(202)
  })

  it('refuses a request over the limit with 413, by what it says and by what it sends', async () => {
    const parts = Array.from({ length: 6 }, (_, at) => ({ filename: `${at}.wav`, bytes: wavBytes(3 * 1024 * 1024) }))
    expect((await house.upload(parts)).statusCode).toBe(413)
    const headers = { 'content-type': FORM_TYPE, 'transfer-encoding': 'chunked' }
    const payload = Readable.from([multipartForm(parts)], { objectMode: false })
    const response = await house.send({ method: 'POST', url: '/files/upload', payload, headers })
    expect(response.statusCode).toBe(413)
    await expectNothingKept()
  })

  it('refuses more files than allowed with 400', async () => {
    const parts = Array.from({ length: 11 }, (_, at) => ({ filename: `${at}.wav`, bytes: wavBytes(4_044) }))
    const response = await house.upload(parts)
    expect([response.statusCode, response.json().detail]).toEqual([400, 'an upload may have at most 10 files'])
    await expectNothingKept()
  })

  it.each([
    ['JSON', 'application/json', '{"files":[]}'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['a body cut off', FORM_TYPE, multipartForm([{ filename: 'a.wav', bytes: wavBytes(4_044) }]).subarray(0, 2_000)],
    ['an empty body', FORM_TYPE, ''],
    ['nothing at all', undefined, undefined],
  ])('refuses %s with 400', async (_, type, payload) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const body = payload === undefined ? {} : { payload }
    const response = await house.send({ method: 'POST', url: '/files/upload', headers, ...body })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toHaveProperty('detail')
    await expectNothingKept()
  })

  it('refuses uploads with 503 when the disk is nearly full', async () => {
    await house.close()
    await house.open({ spool: { folder: `${house.folder.path}/spool`, minFreeBytes: Number.MAX_SAFE_INTEGER } })
    const response = await house.upload([{ filename: 'a.wav', bytes: wavBytes(4_044) }])
    expect(response.statusCode).toBe(503)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    await expectNothingKept()
  })

  it('shows a hostile file name cleaned, and keeps it inside its folder', async () => {
    const names = ['../../../etc/passwd', 'a\u202Evaw.exe', `${'न'.repeat(4_000)}.wav`, '..', '%2e%2e%2fx.wav']
    const upload = await accept(names)
    const shown = upload.files.map(({ filename }: { filename: string }) => filename)
    expect(shown).toEqual(['passwd', 'avaw.exe', `${'न'.repeat(251)}.wav`, 'unnamed', '%2e%2e%2fx.wav'])
    const { files } = await completed(upload.batch_upload_id)
    for (const { gcs_key } of files) {
      expect(gcs_key).toMatch(/^users\/[\w-]{43}\/uploads\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/[^/]+$/)
      expect(gcs_key).not.toContain('..')
    }
  })
})

describe('Idempotency-Key', () => {
  const bytes = wavBytes(4_044)
  const send = (key: string, filename = 'a.wav', user = 'asha') =>
    house.upload([{ filename, bytes }], user, { 'idempotency-key': key })

  it('gives the first answer again for the same files', async () => {
    const first = await send('k1')
    const again = await send('k1')
    expect([again.statusCode, again.json()]).toEqual([202, first.json()])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await house.rows()).toBe(1)
    await eventually(
      () => house.spooled(),
      (left) => left.length === 0,
    )
  })

  it('is a conflict with other files, and nothing of them is kept', async () => {
    await send('k2')
    const other = await send('k2', 'other.wav')
    expect(other.statusCode).toBe(409)
    expect(await house.rows()).toBe(1)
  })

  it('belongs to its user', async () => {
    const mine = await send('k3')
    const theirs = await send('k3', 'theirs.wav', 'ravi')
    expect(theirs.statusCode).toBe(202)
    expect(theirs.json().batch_upload_id).not.toBe(mine.json().batch_upload_id)
  })

  it('serves duplicates at the same moment one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('k4')))
    expect(new Set(answers.map((answer) => answer.json().batch_upload_id)).size).toBe(1)
    expect(await house.rows()).toBe(1)
  })

  it('remembers nothing of a request that was refused', async () => {
    expect((await house.upload([{ filename: 'x', bytes: 'no' }], 'asha', { 'idempotency-key': 'k5' })).statusCode).toBe(
      400,
    )
    expect((await send('k5')).statusCode).toBe(202)
  })

  it('is forgotten after a day', async () => {
    const first = await send('k6')
    await house.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - 86_401_000) })
      .execute()
    const later = await send('k6', 'other.wav')
    expect(later.statusCode).toBe(202)
    expect(later.json().batch_upload_id).not.toBe(first.json().batch_upload_id)
  })

  it.each(['', 'two words', 'x'.repeat(256), 'ключ'])('is refused as %j', async (key) => {
    expect((await send(Buffer.from(key).toString('latin1'))).statusCode).toBe(400)
  })
})

describe('GET /files/upload/{id}', () => {
  it.each([
    UNKNOWN,
    'not-a-uuid',
    '%00',
    "'; drop table files; --",
    'x'.repeat(90),
  ])('knows no upload %j', async (id) => {
    const response = await house.send({ url: `/files/upload/${encodeURIComponent(id)}` })
    expect([response.statusCode, response.json()]).toEqual([404, { detail: 'upload not found' }])
  })

  it("does not know another user's upload", async () => {
    const { batch_upload_id } = await accept(['a.wav'])
    expect((await house.send({ url: `/files/upload/${batch_upload_id}` }, 'ravi')).statusCode).toBe(404)
    expect((await house.send({ url: `/files/upload/${batch_upload_id.toUpperCase()}` })).statusCode).toBe(200)
  })
})

describe('GET /files', () => {
  const list = async (query = '', user = 'asha') => (await house.send({ url: `/files${query}` }, user)).json()
  const names = ({ files }: { files: { filename: string }[] }) => files.map(({ filename }) => filename)

  it('shows the newest first, page by page, and only the caller their own', async () => {
    const first = await accept(['1.wav', '2.wav'])
    await accept(['3.wav', '4.wav', '5.wav'])
    await accept(['theirs.wav'], 'ravi')
    await completed(first.batch_upload_id)
    const page = await list('?limit=2')
    expect(page).toMatchObject({ page: 1, limit: 2, total_pages: 3, total_files: 5, count: 2 })
    expect(names(page)).toEqual(['5.wav', '4.wav'])
    expect(names(await list('?limit=2&page=2'))).toEqual(['3.wav', '2.wav'])
    const last = await list('?limit=2&page=3')
    expect(last.files[0]).toMatchObject({
      filename: '1.wav',
      gcs_key: expect.any(String),
      batch_upload_id: first.batch_upload_id,
    })
    expect(await list('?limit=2&page=4')).toMatchObject({ count: 0, files: [], total_files: 5 })
    expect(names(await list('', 'ravi'))).toEqual(['theirs.wav'])
    expect(await list('', 'nobody')).toEqual({
      page: 1,
      limit: 50,
      total_pages: 0,
      total_files: 0,
      count: 0,
      files: [],
    })
  })

  it('does not shift its pages when files come in between', async () => {
    await accept(['1.wav', '2.wav', '3.wav'])
    const first = await list('?limit=2')
    await accept(['4.wav'])
    const second = await list(`?limit=2&page=2&as_of=${first.as_of}`)
    expect([...names(first), ...names(second)]).toEqual(['3.wav', '2.wav', '1.wav'])
    expect(second).toMatchObject({ total_files: 3, total_pages: 2, as_of: first.as_of })
  })

  it('filters by upload status, with a count that follows', async () => {
    const { batch_upload_id } = await accept(['1.wav', '2.wav'])
    await completed(batch_upload_id)
    expect(await list('?upload_status=completed')).toMatchObject({ total_files: 2, count: 2 })
    expect(await list('?upload_status=failed')).toMatchObject({ total_files: 0, count: 0, total_pages: 0 })
  })

  it.each([
    ['page', 'page=0'],
    ['page', 'page=-1'],
    ['page', 'page=1.5'],
    ['page', 'page=abc'],
    ['page', 'page='],
    ['page', 'page=1&page=2'],
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['limit', 'limit=abc'],
    ['limit', 'limit=Infinity'],
    ['upload_status', 'upload_status=done'],
    ['upload_status', 'upload_status='],
    ['as_of', 'as_of=yesterday'],
  ])('refuses a bad %s: %s', async (path, query) => {
    const response = await house.send({ url: `/files?${query}` })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail.errors).toEqual([{ path, message: expect.any(String) }])
  })

  it('answers a page far beyond the end', async () => {
    await accept(['1.wav'])
    expect(await list('?page=9007199254740991&limit=200')).toMatchObject({ count: 0, files: [] })
  })
})

describe('DELETE /files', () => {
  const remove = (payload: unknown, user = 'asha') =>
    house.send({ method: 'DELETE', url: '/files', payload: payload as object }, user)
  const idsOf = ({ files }: { files: { file_id: string }[] }) => files.map(({ file_id }) => file_id)

  it('removes objects and records, and says what it did', async () => {
    const upload = await accept(['1.wav', '2.wav'])
    await completed(upload.batch_upload_id)
    const [first = '', second = ''] = idsOf(upload)
    const response = await remove({ file_ids: [first, first.toUpperCase()] })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { deleted_file_ids: [first], deleted_count: 1, storage_objects_deleted: 1, jobs_cleaned: 0 },
    ])
    const left = (await house.send({ url: `/files/upload/${upload.batch_upload_id}` })).json()
    expect(left).toMatchObject({ total_files: 1, completed: 1, status: 'completed' })
    expect((await house.objects()).filter((key) => key.includes(upload.batch_upload_id))).toHaveLength(1)

    await remove({ file_ids: [second] })
    expect((await house.send({ url: `/files/upload/${upload.batch_upload_id}` })).statusCode).toBe(404)
    expect((await house.objects()).filter((key) => key.includes(upload.batch_upload_id))).toEqual([])
    expect((await house.send({ url: '/files' })).json()).toMatchObject({ total_files: 0 })
  })

  it("deletes nothing when one id is unknown or another user's", async () => {
    const mine = await accept(['mine.wav'])
    const theirs = await accept(['theirs.wav'], 'ravi')
    for (const stranger of [UNKNOWN, 'not-a-uuid', idsOf(theirs)[0]]) {
      const response = await remove({ file_ids: [...idsOf(mine), stranger] })
      expect(response.statusCode).toBe(404)
      expect(response.json().detail.file_ids).toEqual([stranger])
    }
    expect(await house.rows()).toBe(2)
  })

  it.each([
    ['no body', undefined],
    ['null', null],
    ['an array', []],
    ['no list', {}],
    ['an empty list', { file_ids: [] }],
    ['a string', { file_ids: UNKNOWN }],
    ['an object', { file_ids: { 0: UNKNOWN } }],
    ['null for the list', { file_ids: null }],
    ['a number in the list', { file_ids: [1] }],
    ['null in the list', { file_ids: [null] }],
    ['a list in the list', { file_ids: [[UNKNOWN]] }],
    ['an object in the list', { file_ids: [{ id: UNKNOWN }] }],
    ['an empty string', { file_ids: [''] }],
    ['too many', { file_ids: Array.from({ length: 1_001 }, () => UNKNOWN) }],
  ])('refuses %s with 400', async (_, payload) => {
    const response = await remove(payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toHaveProperty('errors')
  })

  it('leaves nothing of a file that was still waiting in the spool', async () => {
    await house.close()
    await house.open({ isStopped: true })
    const upload = await accept(['waiting.wav'])
    const response = await remove({ file_ids: idsOf(upload) })
    expect(response.json()).toMatchObject({ deleted_count: 1, storage_objects_deleted: 0 })
    expect(await house.spooled()).toEqual([])
  })

  it('lets two overlapping deletes end, one of them with 404', async () => {
    const upload = await accept(Array.from({ length: 10 }, (_, at) => `${at}.wav`))
    const ids = idsOf(upload)
    const answers = await Promise.all([remove({ file_ids: ids }), remove({ file_ids: ids.toReversed() })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
    expect((await house.send({ url: `/files/upload/${upload.batch_upload_id}` })).statusCode).toBe(404)
  })
})

async function expectNothingKept(): Promise<void> {
  expect(await house.rows()).toBe(0)
  expect(await house.spooled()).toEqual([])
}

async function sha256(key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await house.blobs.get(key)) hash.update(chunk)
  return hash.digest('hex')
}
