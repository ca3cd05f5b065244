import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openBlobStore } from '../../src/platform/storage/open-blob-store.ts'
import { blobStoreContract } from '../contracts/blob-store.contract.ts'
import { type GcsStandIn, startGcsStandIn } from '../support/gcs-stand-in.ts'
import { storageSettings } from '../support/storage-settings.ts'

let standIn: GcsStandIn
let store: BlobStore

beforeAll(async () => {
  standIn = await startGcsStandIn('lipik-test')
  store = await openBlobStore(storageSettings('gs://lipik-test/some/prefix/', standIn.url))
})
afterAll(() => standIn.close())

blobStoreContract('GCS', () => store)

describe('GCS', () => {
  it('keeps objects under the prefix of its URL', async () => {
    await store.put('here', bytes('x'))
    expect([...standIn.objects.keys()]).toContain('some/prefix/here')
  })

  it('does not take an object for stored when its bytes changed on the way', async () => {
    standIn.corruptNext()
    await expect(store.put('changed', bytes('some bytes'))).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(await store.head('changed')).toBeUndefined()
  })

  it('says storage is away when the bucket is not there', async () => {
    const other = await openBlobStore(storageSettings('gs://no-such-bucket', standIn.url))
    await expect(other.check()).rejects.toThrow()
  })
})

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
