import { createServer, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openBlobStore } from '../../src/platform/storage/open-blob-store.ts'
import { blobStoreContract } from '../contracts/blob-store.contract.ts'
import { storageSettings } from '../support/storage-settings.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let server: S3rver
let port: number
let store: BlobStore

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder.path,
    configureBuckets: [{ name: 'lipik-test' }],
  })
  port = (await server.run()).port
  store = await openBlobStore(storageSettings('s3://lipik-test/some/prefix', `http://127.0.0.1:${port}`))
})
afterAll(async () => {
  await store.close()
  await server.close()
  await folder.remove()
})

blobStoreContract('S3', () => store)

describe('S3 behind a bad line', () => {
  it.each([
    ['one part', 1000],
    ['many parts', 9 * 1024 * 1024],
  ])('does not take an object of %s for stored when its bytes changed on the way', async (_, bytes) => {
    const line = await startBadLine(port)
    const far = await openBlobStore(storageSettings('s3://lipik-test/bad', line.url))
    await expect(far.put('x', zeros(bytes))).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(await far.head('x')).toBeUndefined()
    await far.close()
    await line.close()
  })

  it('says storage is away when nobody answers', async () => {
    const far = await openBlobStore(storageSettings('s3://lipik-test', 'http://127.0.0.1:1'))
    await expect(far.head('x')).rejects.toMatchObject({ code: 'storage_unavailable' })
    await far.close()
  })
})

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(bytes)
}

/** Passes everything on, with one bit of every written body turned. */
async function startBadLine(target: number): Promise<{ url: string; close(): Promise<void> }> {
  const line: Server = createServer((incoming, outgoing) => {
    // The signature covers the host the client believes it speaks to.
    const onward = send(
      { port: target, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    let turned = incoming.method !== 'PUT'
    incoming.on('data', (chunk: Buffer) => {
      if (!turned) chunk[0] = (chunk[0] ?? 0) ^ 1
      turned = true
      onward.write(chunk)
    })
    incoming.on('end', () => onward.end())
  })
  await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening))
  // A listening TCP server always has an address and port.
  const { port: own } = line.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    close: async () => {
      line.closeAllConnections()
      await new Promise((closed) => line.close(closed))
    },
  }
}
