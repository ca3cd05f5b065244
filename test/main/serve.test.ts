import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { newSigner, openJwksServer } from '../support/jwks-server.ts'
import { FORM_TYPE, multipartForm } from '../support/multipart-form.ts'
import { type Lipik, runLipik } from '../support/run-lipik.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { wavBytes } from '../support/wav-bytes.ts'

let database: TestDatabase
let folder: TemporaryFolder
let lipik: Lipik | undefined

beforeAll(async () => {
  database = await openTestDatabase()
  folder = await makeTemporaryFolder()
})
afterEach(async () => {
  lipik?.child.kill('SIGKILL')
  await lipik?.ended
})
afterAll(async () => {
  await folder.remove()
  await database.close()
})

async function serve(env: Record<string, string> = {}) {
  lipik = runLipik(['serve', '--port', '0'], {
    DATA_DIR: folder.path,
    DATABASE_URL: database.url,
    EMBEDDED_WORKERS: 'false',
    REALTIME_ENABLED: 'false',
    ...env,
  })
  const [, url = ''] = await lipik.seen(/ready at (http:\S+)\n[\s\S]*^curl .*\n/m)
  return { lipik, url }
}

describe('lipik serve', { timeout: 120_000 }, () => {
  it('is ready, and prints a line that uploads a file as it is', async () => {
    const { lipik, url } = await serve()
    const ready = await fetch(`${url}/health/ready`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready', checks: { queue: 'ok' } }])

    const [, token, path, to] =
      /^curl -H "Authorization: Bearer (\S+)" -F "files=@(.+)" (\S+)$/m.exec(lipik.stdout()) ?? []
    const body = new FormData()
    body.append('files', new Blob([await readFile(path ?? '')]), 'example.wav')
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(to ?? '', { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toMatchObject([202, { status: 'accepted', total_files: 1 }])
    expect(lipik.stderr()).not.toContain(token)
    const keys = await fetch(`${url}/.well-known/jwks.json`)
    expect(await keys.json()).toMatchObject({ keys: [{ alg: 'ES256' }] })
  })

  it('checks tokens against the keys that are configured, and then issues none', async () => {
    const signer = await newSigner('one')
    const keys = await openJwksServer([signer.jwk])
    const { lipik, url } = await serve({ AUTH_JWKS_URL: keys.url, BASE_PATH: '/speech' })
    const ask = async (token: string) =>
      (await fetch(`${url}/files`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(url).toMatch(/\/speech$/)
    expect(await ask(await signer.token())).toBe(200)
    expect(await ask(await (await newSigner('one')).token())).toBe(401)
    expect((await fetch(`${url}/.well-known/jwks.json`)).status).toBe(404)
    expect(lipik.stdout()).toContain('$TOKEN')
    await keys.close()
  })

  it('ends a request that is under way before it stops, and takes no new one', async () => {
    const { lipik, url } = await serve()
    const [, token = ''] = /Bearer (\S+)"/.exec(lipik.stdout()) ?? []
    const form = multipartForm([{ filename: 'slow.wav', bytes: wavBytes(32_044) }])
    const upload = await beginUpload(url, token, form)
    lipik.child.kill('SIGTERM')
    await lipik.seen(/"msg":"stopping"/)
    upload.socket.write(form.subarray(upload.sent))
    expect(await upload.answer).toMatch(/^HTTP\/1.1 202 /)
    expect(await lipik.ended).toBe(0)
    await expect(fetch(`${url}/health/live`)).rejects.toThrow()
  })

  it('says that its port is taken, and does nothing else', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    // Listening on a host gives an address object, never a pipe's name.
    const { port } = other.address() as AddressInfo
    lipik = runLipik(['serve', '--port', String(port)], { DATA_DIR: folder.path, DATABASE_URL: database.url })
    expect(await lipik.ended).toBe(1)
    expect(lipik.stderr()).toContain(`port ${port} on 127.0.0.1 is taken`)
    other.close()
  })
})

/** Sends the head and half of the body; `answer` is what comes back once the rest is sent. */
async function beginUpload(url: string, token: string, form: Buffer) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    'POST /files/upload HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    `content-type: ${FORM_TYPE}`,
    `content-length: ${form.length}`,
    'expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server has begun to handle the request when it asks for the body.
  await once(socket, 'data')
  const sent = Math.floor(form.length / 2)
  socket.write(form.subarray(0, sent))
  const answer = once(socket, 'data').then(([data]: Buffer[]) => String(data))
  return { socket, sent, answer }
}
