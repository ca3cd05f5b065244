import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LipikError } from '../../src/platform/errors.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'
import { eventually } from '../support/eventually.ts'
import { FilesHarness } from '../support/files-app.ts'
import { runFilesServer } from '../support/run-files-server.ts'
import { wavBytes } from '../support/wav-bytes.ts'

let house: FilesHarness
let disk: BlobStore
beforeAll(async () => {
  house = await FilesHarness.make()
  disk = await openDiskBlobStore(join(house.folder.path, 'objects'))
})
afterAll(() => house.destroy())
afterEach(async () => {
  await house.close()
  await house.db.deleteFrom('files').execute()
  await house.db.deleteFrom('pending_deletions').execute()
})

const upload = async (bytes = wavBytes(4_044)) => {
  const response = await house.upload([{ filename: 'a.wav', bytes }])
  expect(response.statusCode).toBe(202)
  const { batch_upload_id, files } = response.json()
  return { id: batch_upload_id as string, fileId: files[0].file_id as string }
}

const ended = (id: string) =>
  eventually(
    async () => (await house.send({ url: `/files/upload/${id}` })).json(),
    ({ status }) => status !== 'accepted',
  )

/** The disk, with a put that may be told to fail, to wait, or to lie. */
function troubled(trouble: (turn: number, signal?: AbortSignal) => Promise<void>): BlobStore {
  let turn = 0
  return {
    ...disk,
    async put(key, body, signal) {
      turn += 1
      await trouble(turn, signal)
      return disk.put(key, body, signal)
    },
  }
}

const away = () => new LipikError('storage_unavailable', 'storage did not answer')

describe('the background upload', () => {
  it('tries again while storage fails, and completes', async () => {
    const metrics = createMetrics()
    const blobs = troubled(async (turn) => {
      if (turn <= 2) throw away()
    })
    await house.open({ blobs, metrics })
    const { id } = await upload()
    expect(await ended(id)).toMatchObject({ status: 'completed', completed: 1 })
    const row = await house.db.selectFrom('files').select(['attempts', 'last_error', 'spool_path']).executeTakeFirst()
    expect(row).toEqual({ attempts: 2, last_error: null, spool_path: null })
    expect(await metrics.registry.metrics()).toContain('lipik_background_uploads_total{outcome="retried"} 2')
  })

  it('gives up after the last attempt, says why, and keeps the spool copy', async () => {
    await house.open({
      blobs: troubled(async () => {
        throw away()
      }),
    })
    const { id, fileId } = await upload()
    const failed = await ended(id)
    expect(failed).toMatchObject({ status: 'failed', failed: 1 })
    expect(failed.files[0]).toMatchObject({ upload_status: 'failed', error: 'storage did not answer' })
    expect(failed.files[0]).not.toHaveProperty('gcs_key')
    expect(await house.spooled()).toHaveLength(1)
    await house.send({ method: 'DELETE', url: '/files', payload: { file_ids: [fileId] } })
    expect(await house.spooled()).toEqual([])
  })

  it('waits longer from try to try', async () => {
    await house.open({
      blobs: troubled(async () => {
        throw away()
      }),
      upload: { concurrency: 1, maxAttempts: 5, retrySeconds: [0, 3_600], pollMs: 20 },
    })
    await upload()
    const rows = () => house.db.selectFrom('files').select(['attempts', 'due_at']).executeTakeFirstOrThrow()
    const { due_at } = await eventually(rows, ({ attempts }) => attempts === 2)
    expect(due_at.getTime() - Date.now()).toBeGreaterThan(3_000_000)
  })

  it('does not take for stored what changed in the spool', async () => {
    await house.open({ isStopped: true })
    const { id } = await upload()
    const { spool_path } = await house.db.selectFrom('files').select('spool_path').executeTakeFirstOrThrow()
    await writeFile(join(house.folder.path, 'spool', spool_path ?? ''), wavBytes(4_044))
    house.files.start()
    expect(await ended(id)).toMatchObject({ status: 'failed' })
    await eventually(
      () => house.objects(),
      (keys) => keys.every((key) => !key.includes(id)),
    )
  })

  it('fails at once a file whose spool copy is gone', async () => {
    await house.open({ isStopped: true })
    const { id } = await upload()
    const { spool_path } = await house.db.selectFrom('files').select('spool_path').executeTakeFirstOrThrow()
    await house.folder.removeInside('spool', spool_path ?? '')
    house.files.start()
    expect((await ended(id)).files[0]).toMatchObject({ error: 'the received copy was lost' })
  })

  it('resumes after a stop in the middle of an upload', async () => {
    const begun = signalled()
    const blobs = troubled(async (_, signal) => {
      begun.resolve()
      await aborted(signal)
    })
    await house.open({ blobs })
    const sent = wavBytes(200_044)
    const { id } = await upload(sent)
    await begun.promise
    await house.close()
    const row = await house.db.selectFrom('files').select(['upload_status', 'attempts']).executeTakeFirst()
    expect(row).toEqual({ upload_status: 'pending', attempts: 0 })
    await house.open()
    const done = await ended(id)
    expect(await sha256(done.files[0].gcs_key)).toBe(createHash('sha256').update(sent).digest('hex'))
  })

  it('takes over from a holder that died, and not from one that lives', async () => {
    await house.open({ isStopped: true })
    const { id, fileId } = await upload()
    const hold = (claimed_by: string, leaseMs: number) =>
      house.db
        .updateTable('files')
        .set({ upload_status: 'uploading', claimed_by, lease_until: new Date(Date.now() + leaseMs) })
        .where('id', '=', fileId)
        .execute()
    await hold('ffffffff-1-elsewhere/1', 3_600_000)
    house.files.start()
    const status = async () => (await house.send({ url: `/files/upload/${id}` })).json()
    await house
      .upload([{ filename: 'next.wav', bytes: wavBytes(4_044) }])
      .then((next) => ended(next.json().batch_upload_id))
    expect(await status()).toMatchObject({ uploading: 1 })
    await hold('ffffffff-1-elsewhere/1', -1)
    expect(await ended(id)).toMatchObject({ status: 'completed' })
  })

  it('moves each file once when two processes share a spool', async () => {
    await house.open({ isStopped: true })
    const uploads = await Promise.all(Array.from({ length: 30 }, () => upload()))
    await house.close()
    const puts: string[] = []
    const blobs: BlobStore = {
      ...disk,
      put: (key, body, signal) => {
        puts.push(key)
        return disk.put(key, body, signal)
      },
    }
    await house.open({ blobs, isStopped: true })
    const other = await runFilesServer(house.database.url, house.folder.path)
    house.files.start()
    for (const { id } of uploads) expect(await ended(id)).toMatchObject({ status: 'completed' })
    await other.stop()
    expect(new Set(puts).size).toBe(puts.length)
    const rows = await house.db.selectFrom('files').select('attempts').distinct().execute()
    expect(rows).toEqual([{ attempts: 0 }])
    await eventually(
      () => house.spooled(),
      (left) => left.length === 0,
    )
  })

  it('leaves files of another spool alone', async () => {
    await house.open({ isStopped: true })
    await upload()
    await house.db.updateTable('files').set({ spool_id: '01890000-0000-4000-8000-000000000000' }).execute()
    house.files.start()
    const next = await upload()
    await ended(next.id)
    const rows = await house.db.selectFrom('files').select('upload_status').orderBy('id').execute()
    expect(rows).toEqual([{ upload_status: 'pending' }, { upload_status: 'completed' }])
  })

  it('fails files whose spool has been away for a day', async () => {
    await house.open({ isStopped: true })
    const { id } = await upload()
    const gone = '01890000-0000-4000-8000-000000000001'
    await house.db
      .insertInto('spools')
      .values({ id: gone, seen_at: new Date(Date.now() - 90_000_000) })
      .execute()
    await house.db.updateTable('files').set({ spool_id: gone }).execute()
    house.files.start()
    expect((await ended(id)).files[0]).toMatchObject({ error: 'the server that received the file is gone' })
  })

  it('leaves no object of a file deleted on its way', async () => {
    const begun = signalled()
    const goOn = signalled()
    const blobs = troubled(async () => {
      begun.resolve()
      await goOn.promise
    })
    await house.open({ blobs })
    const { id, fileId } = await upload()
    await begun.promise
    const deleted = await house.send({ method: 'DELETE', url: '/files', payload: { file_ids: [fileId] } })
    expect(deleted.statusCode).toBe(200)
    goOn.resolve()
    await eventually(
      async () => [...(await house.spooled()), ...(await house.objects()).filter((key) => key.includes(id))],
      (left) => left.length === 0,
    )
    const kept = await house.db.selectFrom('pending_deletions').select('due_at').executeTakeFirstOrThrow()
    expect(kept.due_at.getTime()).toBeGreaterThan(Date.now())
  })

  it('stops an upload that is no longer its own', async () => {
    const stopped = signalled()
    const blobs = troubled(async (_, signal) => {
      await aborted(signal).catch(() => {})
      stopped.resolve()
    })
    await house.open({ blobs, upload: { concurrency: 1, maxAttempts: 3, retrySeconds: [0], leaseMs: 300, pollMs: 20 } })
    const { fileId } = await upload()
    await eventually(
      () => house.db.selectFrom('files').select('upload_status').executeTakeFirstOrThrow(),
      ({ upload_status }) => upload_status === 'uploading',
    )
    await house.send({ method: 'DELETE', url: '/files', payload: { file_ids: [fileId] } })
    await stopped.promise
  })
})

describe('objects to delete', () => {
  it('are deleted later when storage is away, and never forgotten', async () => {
    let isAway = true
    const blobs: BlobStore = {
      ...disk,
      delete: async (key) => {
        if (isAway) throw away()
        return disk.delete(key)
      },
    }
    await house.open({ blobs })
    const { id, fileId } = await upload()
    await ended(id)
    const deleted = await house.send({ method: 'DELETE', url: '/files', payload: { file_ids: [fileId] } })
    expect(deleted.json()).toMatchObject({ deleted_count: 1, storage_objects_deleted: 1 })
    expect((await house.objects()).filter((key) => key.includes(id))).toHaveLength(1)
    await house.close()
    isAway = false
    await house.db
      .updateTable('pending_deletions')
      .set({ due_at: new Date(0) })
      .execute()
    await house.open()
    await eventually(
      async () => (await house.objects()).filter((key) => key.includes(id)),
      (left) => left.length === 0,
    )
    await eventually(
      () => house.db.selectFrom('pending_deletions').selectAll().execute(),
      (left) => left.length === 0,
    )
  })
})

describe('files past their time', () => {
  it('are deleted with their objects, newer ones are not', async () => {
    await house.open()
    const old = await upload()
    const recent = await upload()
    await ended(old.id)
    await ended(recent.id)
    const now = Date.now()
    const made = (days: number) => (now - days * 86_400_000).toString(16).padStart(12, '0')
    const idOf = (days: number) => `${made(days).slice(0, 8)}-${made(days).slice(8)}-7000-8000-000000000000`
    await house.db
      .updateTable('files')
      .set({ id: idOf(8) })
      .where('id', '=', old.fileId)
      .execute()
    await house.db
      .updateTable('files')
      .set({ id: idOf(6) })
      .where('id', '=', recent.fileId)
      .execute()
    await house.close()
    await house.open({ retentionDays: 7 })
    const left = await eventually(
      () => house.db.selectFrom('files').select('id').execute(),
      (rows) => rows.length < 2,
    )
    expect(left).toEqual([{ id: idOf(6) }])
    await eventually(
      async () => (await house.objects()).filter((key) => key.includes(old.id)),
      (keys) => keys.length === 0,
    )
    expect((await house.objects()).filter((key) => key.includes(recent.id))).toHaveLength(1)
  })
})

describe('the spool', () => {
  it('is cleared at the start of what no row names, and of nothing else', async () => {
    await house.open({ isStopped: true })
    const kept = await upload()
    const spool = join(house.folder.path, 'spool')
    const [owner = ''] = (await readdir(spool)).filter((name) => name !== 'spool.id')
    const orphan = '01890000-0000-7000-8000-00000000000a'
    await house.folder.writeInside(join('spool', owner, orphan, '0'), 'half an upload')
    await house.folder.writeInside(join('spool', owner, kept.id, '7'), 'nobody knows')
    await house.folder.writeInside(
      join('spool', 'ffffffff-1-elsewhere', orphan, '0'),
      'being received by another machine',
    )
    await house.close()
    await house.open()
    await ended(kept.id)
    await eventually(
      () => house.spooled(),
      (left) => left.length === 1,
    )
    expect(await readdir(spool)).toContain('ffffffff-1-elsewhere')
  })

  it('keeps its id', async () => {
    await house.open()
    const first = house.files
    await house.close()
    await house.open()
    expect(house.files).not.toBe(first)
    const { id } = await upload()
    expect(await ended(id)).toMatchObject({ status: 'completed' })
    const spools = await house.db.selectFrom('files').select('spool_id').distinct().execute()
    expect(spools).toHaveLength(1)
  })
})

/** A promise with its end in hand; the language's own comes with a later Node. */
function signalled(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function sha256(key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await disk.get(key)) hash.update(chunk)
  return hash.digest('hex')
}
