import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { runFilesServer } from '../support/run-files-server.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { wavBytes } from '../support/wav-bytes.ts'

const UPLOADS = 60
const ANSWERED_BEFORE_KILL = 15
const BYTES = 512 * 1024
const headers = { authorization: 'Bearer asha' }

let database: TestDatabase
let folder: TemporaryFolder
beforeAll(async () => {
  database = await openTestDatabase()
  folder = await makeTemporaryFolder()
})
afterAll(async () => {
  await folder.remove()
  await database.close()
})

describe('a server killed in the middle of uploads', () => {
  it('completes every upload it had answered, and keeps nothing of the others', async () => {
    const first = await runFilesServer(database.url, folder.path)
    const accepted = new Map<string, string>()
    let killed: Promise<void> | undefined
    const send = async (at: number): Promise<void> => {
      const bytes = wavBytes(BYTES)
      const body = new FormData()
      body.append('files', new Blob([bytes]), `${at}.wav`)
      const response = await fetch(`${first.url}/files/upload`, { method: 'POST', headers, body })
      if (response.status !== 202) throw new Error(`answered ${response.status}`)
      const { files } = (await response.json()) as { files: [{ file_id: string }] }
      accepted.set(files[0].file_id, createHash('sha256').update(bytes).digest('hex'))
      if (accepted.size === ANSWERED_BEFORE_KILL) killed = first.kill()
    }
    await Promise.allSettled(Array.from({ length: UPLOADS }, (_, at) => send(at)))
    await killed
    expect(accepted.size).toBeGreaterThanOrEqual(ANSWERED_BEFORE_KILL)
    expect(accepted.size).toBeLessThan(UPLOADS)

    const second = await runFilesServer(database.url, folder.path)
    const list = async () => {
      const response = await fetch(`${second.url}/files?limit=200`, { headers })
      return (await response.json()) as { files: { file_id: string; upload_status: string; gcs_key: string }[] }
    }
    const { files } = await eventually(
      list,
      (page) => page.files.every((file) => file.upload_status === 'completed'),
      60_000,
    )
    const byId = new Map(files.map((file) => [file.file_id, file.gcs_key]))
    const blobs = await openDiskBlobStore(join(folder.path, 'objects'))
    for (const [id, sha256] of accepted) {
      const hash = createHash('sha256')
      for await (const chunk of await blobs.get(byId.get(id) ?? 'lost')) hash.update(chunk)
      expect(hash.digest('hex')).toBe(sha256)
    }
    await eventually(
      () => folder.filesUnder('spool'),
      (left) => left.filter((name) => name !== 'spool.id').length === 0,
    )
    await second.stop()
  }, 120_000)
})
