import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/platform/storage/blob-store.ts'

const MiB = 1024 * 1024

/** What every store promises. `open` gives the same empty-at-first store each time; keys below do not collide. */
export const blobStoreContract = (name: string, open: () => BlobStore) =>
  describe(`${name} blob store`, () => {
    it('gives back the bytes it was given, with their size and SHA-256', async () => {
      const sent = randomBytes(3 * MiB + 17)
      const stored = await open().put('round/trip.wav', inChunks(sent, 100_000))
      expect(stored).toEqual({ bytes: sent.length, sha256: sha256(sent) })
      expect(sha256(await fetch(open(), 'round/trip.wav'))).toBe(stored.sha256)
      expect(await open().head('round/trip.wav')).toEqual({ bytes: sent.length })
    })

    it('gives a part of an object', async () => {
      const sent = randomBytes(3 * MiB)
      await open().put('parts/ranged', inChunks(sent, 100_000))
      for (const [first, last] of [
        [0, 1],
        [10, 2 * MiB],
        [3 * MiB - 5, 3 * MiB - 1],
      ] as const) {
        const part = await read(await open().get('parts/ranged', undefined, { first, last }))
        expect(part.equals(sent.subarray(first, last + 1))).toBe(true)
      }
    })

    it.each([
      ['of many parts', 20 * MiB + 1],
      ['of exactly one part', 8 * MiB],
      ['of exactly two parts', 16 * MiB],
      ['that is empty', 0],
    ])('keeps an object %s', async (_, bytes) => {
      const sent = randomBytes(bytes)
      const key = `sizes/${bytes}`
      expect(await open().put(key, inChunks(sent, 700_001))).toEqual({ bytes, sha256: sha256(sent) })
      expect(sha256(await fetch(open(), key))).toBe(sha256(sent))
    })

    it.each([
      'names/हिन्दी कॉल.mp3',
      'names/a+b&c=d %41 #1?.wav',
      'names/semi;colon,comma.ogg',
    ])('takes %s for a name and nothing more', async (key) => {
      await open().put(key, inChunks(Buffer.from('named'), 5))
      expect(String(await fetch(open(), key))).toBe('named')
      expect(await keys(open(), key)).toEqual([key])
      expect(await open().delete(key)).toBe(true)
    })

    it.each([
      '../out',
      'a/../../out',
      '/abs',
      'a//b',
      'a/',
      '',
      'a/./b',
      'nul\0',
      'a\\b',
      '.unfinished/x',
      'x'.repeat(1025),
    ])('refuses the key %j', async (key) => {
      await expect(open().put(key, inChunks(Buffer.from('x'), 1))).rejects.toMatchObject({ code: 'invalid_request' })
      await expect(open().get(key)).rejects.toMatchObject({ code: 'invalid_request' })
      await expect(open().delete(key)).rejects.toMatchObject({ code: 'invalid_request' })
    })

    it.each([100, 30 * MiB])('shows nothing of a write whose source broke after %i bytes', async (bytes) => {
      const key = `broken/${bytes}`
      await expect(open().put(key, breaksAfter(bytes))).rejects.toThrow('the source broke')
      await expect(open().get(key)).rejects.toMatchObject({ code: 'blob_not_found' })
      expect(await open().head(key)).toBeUndefined()
    })

    it('shows nothing of a write that was called off', async () => {
      const calledOff = new AbortController()
      const body = (async function* () {
        yield randomBytes(12 * MiB)
        calledOff.abort(new Error('called off'))
        yield randomBytes(12 * MiB)
      })()
      await expect(open().put('called/off', body, calledOff.signal)).rejects.toThrow('called off')
      expect(await open().head('called/off')).toBeUndefined()
    })

    it('replaces an object as a whole, and not by a write that failed', async () => {
      await open().put('replaced', inChunks(Buffer.from('first'), 2))
      await expect(open().put('replaced', breaksAfter(10))).rejects.toThrow()
      expect(String(await fetch(open(), 'replaced'))).toBe('first')
      await open().put('replaced', inChunks(Buffer.from('second, longer'), 2))
      expect(String(await fetch(open(), 'replaced'))).toBe('second, longer')
    })

    it('says that a missing object is missing before the first byte', async () => {
      await expect(open().get('not/there')).rejects.toMatchObject({ code: 'blob_not_found' })
      expect(await open().head('not/there')).toBeUndefined()
    })

    it('lets a reader leave early or give up', async () => {
      await open().put('left', inChunks(randomBytes(6 * MiB), MiB))
      for await (const _ of await open().get('left')) break
      const givenUp = new AbortController()
      const read = async () => {
        for await (const _ of await open().get('left', givenUp.signal)) givenUp.abort(new Error('given up'))
      }
      await expect(read()).rejects.toThrow('given up')
    })

    it('deletes once, and finds a second delete a success', async () => {
      await open().put('gone/soon', inChunks(Buffer.from('x'), 1))
      expect(await open().delete('gone/soon')).toBe(true)
      expect(await open().delete('gone/soon')).toBe(false)
      expect(await open().head('gone/soon')).toBeUndefined()
    })

    it('lists what is under a prefix and nothing beside it', async () => {
      const wanted = Array.from({ length: 130 }, (_, at) => `listed/a/${String(at).padStart(3, '0')}`)
      for (const key of [...wanted, 'listed/ab', 'listed-too'])
        await open().put(key, inChunks(Buffer.from(key), key.length))
      expect(await keys(open(), 'listed/a/')).toEqual(wanted)
      expect(await keys(open(), 'listed/a')).toEqual([...wanted, 'listed/ab'])
      expect(await keys(open(), 'listed/none/')).toEqual([])
    })

    it('keeps many writes at once apart, and deletes beside them', async () => {
      const work = Array.from({ length: 20 }, async (_, at) => {
        await open().put(`at-once/${at}/x`, inChunks(Buffer.from(`body ${at}`), 3))
        if (at % 2) await open().delete(`at-once/${at}/x`)
      })
      await Promise.all(work)
      expect(await keys(open(), 'at-once/')).toHaveLength(10)
      expect(String(await fetch(open(), 'at-once/8/x'))).toBe('body 8')
    })

    it('finds itself ready, and leaves nothing of the check', async () => {
      await open().check()
      expect(await keys(open(), 'readiness/')).toEqual([])
    })
  })

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

async function* breaksAfter(bytes: number): AsyncGenerator<Uint8Array> {
  yield randomBytes(bytes)
  throw new Error('the source broke')
}

const fetch = async (store: BlobStore, key: string): Promise<Buffer> => read(await store.get(key))

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function keys(store: BlobStore, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const key of store.list(prefix)) found.push(key)
  return found.sort()
}
