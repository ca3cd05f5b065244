import { randomUUID } from 'node:crypto'
import { LipikError } from '../errors.ts'
import type { BlobStore } from './blob-store.ts'

/** Permissions to read, to write and to delete are granted apart, so a readiness check has to try all three. */
export async function checkByRoundTrip(store: Pick<BlobStore, 'put' | 'get' | 'delete'>): Promise<void> {
  const key = `readiness/${randomUUID()}`
  const sent = Buffer.from(key)
  await store.put(key, one(sent))
  const received: Uint8Array[] = []
  for await (const chunk of await store.get(key)) received.push(chunk)
  await store.delete(key)
  if (!Buffer.concat(received).equals(sent)) throw new LipikError('storage_unavailable', 'storage returned other bytes')
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}
