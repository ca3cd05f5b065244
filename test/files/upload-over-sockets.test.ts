import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as open, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { FilesHarness } from '../support/files-app.ts'
import { FORM_TYPE, multipartForm } from '../support/multipart-form.ts'
import { wavBytes } from '../support/wav-bytes.ts'

const MiB = 1024 * 1024

let house: FilesHarness
let port: number
beforeAll(async () => {
  house = await FilesHarness.make()
  await house.open()
  await house.app.listen({ port: 0, host: '127.0.0.1' })
  // Listening on a host gives an address object, never a pipe's name.
  port = (house.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await house.close()
  await house.destroy()
})

function post(headers: RequestOptions['headers'] = {}): ClientRequest {
  const all = { authorization: 'Bearer asha', 'content-type': FORM_TYPE, ...headers }
  return open({ port, host: '127.0.0.1', method: 'POST', path: '/files/upload', headers: all, agent: false })
}

async function answer(request: ClientRequest): Promise<{ status: number; body: string }> {
  const [response] = await once(request, 'response')
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, body }
}

const nothingLeft = () =>
  eventually(
    async () => ({ rows: await house.rows(), spooled: await house.spooled(), objects: await house.objects() }),
    ({ rows, spooled, objects }) => rows + spooled.length + objects.length === 0,
  )

describe('a client that breaks off', () => {
  const form = multipartForm([
    { filename: 'whole.wav', bytes: wavBytes(MiB) },
    { filename: 'half.wav', bytes: wavBytes(2 * MiB) },
  ])

  it.each([
    ['in the middle of a part', 2 * MiB],
    ['between two parts', MiB + 200],
    ['in the headers of a part', 40],
    ['before its last line', form.length - 5],
  ])('%s leaves no row, no spool file, no object', async (_, bytes) => {
    const request = post({ 'content-length': form.length })
    request.on('error', () => {})
    request.write(form.subarray(0, bytes))
    if (bytes > MiB)
      await eventually(
        () => house.spooled(),
        (files) => files.length > 0,
      )
    request.destroy()
    await nothingLeft()
  })

  it('without saying how much it has leaves nothing either', async () => {
    const request = post({ 'transfer-encoding': 'chunked' })
    request.on('error', () => {})
    request.write(form.subarray(0, 2 * MiB))
    await eventually(
      () => house.spooled(),
      (files) => files.length > 0,
    )
    request.destroy()
    await nothingLeft()
  })
})

describe('a client that sends too much', () => {
  it('reads the refusal although it is still sending', async () => {
    const form = multipartForm([{ filename: 'large.wav', bytes: wavBytes(12 * MiB) }])
    const request = post({ 'content-length': form.length })
    const answered = answer(request)
    request.end(form)
    expect((await answered).status).toBe(413)
    await nothingLeft()
  })

  it('is refused on its headers when it says so itself', async () => {
    const request = post({ 'content-length': 17 * MiB })
    request.on('error', () => {})
    const answered = answer(request)
    request.flushHeaders()
    expect((await answered).status).toBe(413)
    request.destroy()
    await nothingLeft()
  })

  it('keeps its connection for the next request', async () => {
    const refused = await fetch(`http://127.0.0.1:${port}/files/upload`, {
      method: 'POST',
      headers: { authorization: 'Bearer asha', 'content-type': FORM_TYPE },
      body: multipartForm([{ filename: 'words.wav', bytes: 'only words' }]),
    })
    expect(refused.status).toBe(400)
    const headers = { authorization: 'Bearer asha' }
    expect((await fetch(`http://127.0.0.1:${port}/files`, { headers })).status).toBe(200)
  })
})

describe('two hundred uploads at the same time', () => {
  it('all complete with the bytes that were sent', async () => {
    const sent = new Map<string, string>()
    const uploads = Array.from({ length: 200 }, async (_, at) => {
      const bytes = wavBytes(MiB)
      const form = new FormData()
      form.append('files', new Blob([bytes]), `${at}.wav`)
      const response = await fetch(`http://127.0.0.1:${port}/files/upload`, {
        method: 'POST',
        headers: { authorization: 'Bearer crowd' },
        body: form,
      })
      expect(response.status).toBe(202)
      const { files } = (await response.json()) as { files: [{ file_id: string }] }
      sent.set(files[0].file_id, createHash('sha256').update(bytes).digest('hex'))
    })
    await Promise.all(uploads)
    const list = async (status: string, limit = 1) =>
      (await house.send({ url: `/files?limit=${limit}&upload_status=${status}` }, 'crowd')).json()
    await eventually(
      () => list('completed'),
      ({ total_files }) => total_files === 200,
      90_000,
    )
    const { files } = await list('completed', 200)
    for (const { file_id, gcs_key } of files) expect(await sha256(gcs_key)).toBe(sent.get(file_id))
    expect(await list('failed')).toMatchObject({ total_files: 0 })
    await eventually(
      () => house.spooled(),
      (left) => left.length === 0,
    )
  }, 180_000)
})

async function sha256(key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await house.blobs.get(key)) hash.update(chunk)
  return hash.digest('hex')
}
