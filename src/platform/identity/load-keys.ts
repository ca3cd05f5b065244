import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1_048_576

const KEY_SET = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1, 'holds no key') })

export const loadKeysFromFile = async (path: string): Promise<JSONWebKeySet> =>
  KEY_SET.parse(JSON.parse(await readFile(path, 'utf8')))

export async function loadKeysFromUrl(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}`)
  }
  return KEY_SET.parse(JSON.parse(await readAtMost(response, MAX_BYTES)))
}

/** A publisher gone wrong must not fill our memory. */
async function readAtMost(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) throw new Error(`the key set is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
