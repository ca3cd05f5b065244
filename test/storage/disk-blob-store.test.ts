import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openBlobStore } from '../../src/platform/storage/open-blob-store.ts'
import { blobStoreContract } from '../contracts/blob-store.contract.ts'
import { storageSettings } from '../support/storage-settings.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
let store: BlobStore

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  store = await openBlobStore(storageSettings(`file:${folder.path}`))
})
afterAll(() => folder.remove())

blobStoreContract('disk', () => store)

describe('a folder of objects', () => {
  it('leaves no unfinished file and no empty folder behind', async () => {
    await expect(store.put('deep/er/est', failing())).rejects.toThrow('broke')
    await store.put('deep/er/x', failing(0))
    await store.delete('deep/er/x')
    expect(await readdir(join(folder.path, '.unfinished'))).toEqual([])
    expect(await readdir(folder.path)).not.toContain('deep')
  })

  it('clears at its opening what a killed process left long ago, and nothing newer', async () => {
    const unfinished = join(folder.path, '.unfinished')
    await writeFile(join(unfinished, 'old'), 'x')
    await writeFile(join(unfinished, 'new'), 'x')
    await utimes(join(unfinished, 'old'), 0, 0)
    await openBlobStore(storageSettings(`file://${folder.path}`))
    expect(await readdir(unfinished)).toEqual(['new'])
  })

  it('says that it cannot be used when a file stands where its folder should be', async () => {
    await writeFile(join(folder.path, 'blocked'), 'x')
    await expect(store.put('blocked/x', failing(0))).rejects.toMatchObject({ code: 'storage_unavailable' })
    await mkdir(join(folder.path, 'a-folder'))
    await expect(store.get('a-folder')).rejects.toMatchObject({ code: 'blob_not_found' })
  })

  it('refuses a storage URL of no known kind', async () => {
    await expect(openBlobStore(storageSettings('ftp://somewhere'))).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(openBlobStore(storageSettings('s3://'))).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

async function* failing(after = 1): AsyncGenerator<Uint8Array> {
  yield Buffer.from('some bytes')
  if (after) throw new Error('broke')
}
