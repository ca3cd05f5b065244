import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LipikApiError, LipikConnectionError } from '../../client/src/failures.ts'
import { LipikClient } from '../../client/src/lipik-client.ts'
import type { UploadProgress } from '../../client/src/upload-progress.ts'
import { recordingOf } from '../support/instant-engine.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { openUnreliableFront, type UnreliableFront } from '../support/unreliable-front.ts'

let service: RunningService
let front: UnreliableFront
let folder: TemporaryFolder
let lipik: LipikClient

beforeAll(async () => {
  service = await runService({ APP_ENV: 'development' })
  front = await openUnreliableFront(service.origin)
  folder = await makeTemporaryFolder()
  lipik = await clientOf('asha')
})
afterAll(async () => {
  await front.close()
  await service.close()
  await folder.remove()
})

/** Through the front, so that a test can send mishaps. */
async function clientOf(user: string, maxRetries = 4): Promise<LipikClient> {
  const token = await service.tokenOf(user)
  return new LipikClient({ url: `${front.origin}/`, token: async () => token, maxRetries })
}

const recording = (name: string, text: string) => ({ name, data: new Blob([Buffer.from(recordingOf(text))]) })

async function onDisk(name: string, text: string): Promise<string> {
  const path = join(folder.path, name)
  await writeFile(path, recordingOf(text))
  return path
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function submitted(...texts: string[]): Promise<string> {
  const upload = await lipik.files.upload(texts.map((text, index) => recording(`${index}.wav`, text)))
  await lipik.files.waitUntilStored(upload.batch_upload_id)
  return (await lipik.batches.submit({ batch_upload_id: upload.batch_upload_id })).batch_id
}

describe('transcribe', () => {
  it('goes from files on disk and in memory to transcripts', async () => {
    const files = [await onDisk('एक "दो".wav', 'namaste\nduniya'), recording('b.wav', 'hello')]
    const found = await all(lipik.transcribe(files, { speechInformation: true, script: 'native' }))
    expect(found.map(({ filename, status, result }) => [filename, status, result?.text])).toEqual([
      ['एक "दो".wav', 'completed', 'namaste duniya'],
      ['b.wav', 'completed', 'hello'],
    ])
    expect(found[0]?.result?.segments?.[0]?.words[0]).toMatchObject({ word: 'namaste', start: 0 })
  })
})

describe('uploading', () => {
  it('tells how far each file has come, to the last byte', async () => {
    const told: UploadProgress[] = []
    const long = 'a line of speech\n'.repeat(40_000)
    const path = await onDisk('long.wav', long)
    const small = recording('small.wav', 'short')
    await lipik.files.upload([path, small], { onProgress: (progress) => told.push(progress) })
    const last = told.at(-1)
    expect(last?.files.map(({ name, sentBytes, totalBytes }) => [name, sentBytes - totalBytes])).toEqual([
      ['long.wav', 0],
      ['small.wav', 0],
    ])
    expect(last?.sentBytes).toBe(44 + 2 * long.length + small.data.size)
    const sums = told.map(({ sentBytes }) => sentBytes)
    expect(sums).toEqual(sums.toSorted((a, b) => a - b))
  })

  it('is done once when the answer was lost, because the repeat carries the same key', async () => {
    const client = await clientOf('ravi')
    front.next({ kind: 'lost' }, { kind: 'refused', status: 503, retryAfter: '0' })
    const upload = await client.files.upload(recording('once.wav', 'once'))
    expect(upload.total_files).toBe(1)
    expect(await all(client.files.list())).toHaveLength(1)
  })

  it('says which file was refused and why, and does not try again', async () => {
    const before = front.seen.length
    const refused = lipik.files.upload([recording('good.wav', 'x'), { name: 'bad.wav', data: new Blob(['no sound']) }])
    const error = await refused.catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(LipikApiError)
    expect(error).toMatchObject({ status: 400, detail: { errors: [{ filename: 'bad.wav' }] } })
    expect(front.seen.length - before).toBe(1)
  })

  it('stops when told to', async () => {
    const stop = new AbortController()
    const path = await onDisk('stopped.wav', 'x'.repeat(2_000_000))
    const upload = lipik.files.upload(path, { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })
    await expect(upload).rejects.toThrow('enough')
  })

  it('names a path that is not there', async () => {
    await expect(lipik.files.upload('/none/such.wav')).rejects.toThrow(/ENOENT/)
  })
})

describe('files', () => {
  it('are listed over pages without shifting, and deleted', async () => {
    const client = await clientOf('meera')
    const upload = await client.files.upload(['1', '2', '3', '4', '5'].map((text) => recording(`${text}.wav`, text)))
    const stored = await client.files.waitUntilStored(upload.batch_upload_id)
    expect(stored).toMatchObject({ status: 'completed', completed: 5 })
    const names: string[] = []
    for await (const { filename } of client.files.list({ limit: 2 })) {
      if (names.length === 2) await client.files.upload(recording('late.wav', 'late'))
      names.push(filename)
    }
    expect(names.toSorted()).toEqual(['1.wav', '2.wav', '3.wav', '4.wav', '5.wav'])
    const [first] = await all(client.files.list({ limit: 200 }))
    expect(first?.filename).toBe('late.wav')
    const ids = upload.files.map(({ file_id }) => file_id)
    expect(await client.files.delete(ids)).toMatchObject({ deleted_count: 5 })
    await expect(client.files.delete(ids[0] ?? '')).rejects.toMatchObject({ status: 404 })
  })
})

describe('batches', () => {
  it('are followed by events to their end, over a connection that breaks', async () => {
    const batch = await submitted('!slow:1500 one\n!slow:1500 two', 'three')
    front.next({ kind: 'cut', afterBytes: 40 })
    const seen = await all(lipik.batches.events(batch))
    expect(seen.at(-1)).toMatchObject({ batch_id: batch, status: 'completed', files_completed: 2 })
    expect(seen.length).toBeGreaterThan(1)
  })

  it('are waited for, cancelled and retried', async () => {
    const batch = await submitted('!slow:60000 never')
    expect(await lipik.batches.cancel(batch)).toEqual({ batch_id: batch, files: 1 })
    expect(await lipik.batches.wait(batch)).toMatchObject({ status: 'failed', files_failed: 1 })
    const [file] = await all(lipik.batches.results(batch))
    expect(file?.errors?.[0]?.code).toBe('cancelled')
    expect(await lipik.batches.retry(batch)).toMatchObject({ files: 1 })
    await lipik.batches.cancel(batch)
  })

  it('are read page by page, as jobs, and as a download', async () => {
    const batch = await submitted('a\nb', '!bad', 'c')
    const told: string[] = []
    await lipik.batches.wait(batch, { onProgress: ({ status }) => told.push(status) })
    expect(told.at(-1)).toBe('partial')
    const paged = await all(lipik.batches.results(batch, { limit: 1 }))
    const streamed = await all(lipik.batches.download(batch))
    expect(streamed).toEqual(paged)
    expect(paged.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
    const failed = await all(lipik.batches.download(batch, { status: 'failed' }))
    expect(failed.map(({ filename }) => filename)).toEqual(['1.wav'])
    const jobs = await all(lipik.batches.downloadJobs(batch))
    expect(jobs.filter(({ kind }) => kind === 'chunk')).toHaveLength(4)
    expect((await lipik.batches.jobsPage(batch, { limit: 5 })).jobs).toHaveLength(5)
  })

  it('never give a download that broke as a whole one', async () => {
    const batch = await submitted('first', 'second', 'third')
    await lipik.batches.wait(batch)
    front.next({ kind: 'cut', afterBytes: 150 })
    await expect(all(lipik.batches.download(batch))).rejects.toThrow(LipikConnectionError)
  })

  it('give transcripts of single files in every format', async () => {
    const batch = await submitted('hello world')
    await lipik.batches.wait(batch)
    const [file] = await all(lipik.batches.results(batch))
    const id = file?.file_id ?? ''
    expect(await lipik.results.transcript(id, 'txt')).toBe('hello world\n')
    expect(await lipik.results.transcript(id, 'srt')).toMatch(/^1\n00:00:00,000 --> 00:00:01,000\nhello world/)
    expect(await lipik.results.transcript(id, 'vtt')).toMatch(/^WEBVTT/)
    const seen = await lipik.results.file(id, { chunks: true, speech_information: true })
    expect([seen.result?.text, seen.chunk_results?.length]).toEqual(['hello world', 1])
  })

  it('of others are not there', async () => {
    const batch = await submitted('secret')
    const other = await clientOf('mallory')
    await expect(other.batches.wait(batch)).rejects.toMatchObject({ status: 404, detail: 'batch not found' })
    await expect(all(other.batches.results(batch))).rejects.toMatchObject({ status: 404, detail: 'batch not found' })
    await expect(all(other.batches.events(batch))).rejects.toMatchObject({ status: 404 })
  })
})

describe('a service that is away', () => {
  it('is asked again as often as said, and then told', async () => {
    const client = await clientOf('asha', 1)
    const before = front.seen.length
    front.next({ kind: 'lost' }, { kind: 'lost' })
    await expect(client.batches.status('0')).rejects.toThrow(LipikConnectionError)
    expect(front.seen.length - before).toBe(2)
  })

  it('is not asked again before the time it gave, and not at all when that is tomorrow', async () => {
    front.next({ kind: 'refused', status: 429, retryAfter: '86400' })
    await expect(lipik.files.listPage()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 86_400 })
  })

  it('refuses a wrong token at once', async () => {
    const stranger = new LipikClient({ url: front.origin, token: 'wrong' })
    await expect(stranger.files.listPage()).rejects.toMatchObject({ status: 401 })
  })
})
