import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeySet } from '../../../src/platform/identity/key-set.ts'
import { loadKeysFromFile, loadKeysFromUrl } from '../../../src/platform/identity/load-keys.ts'
import { createTokenVerifier } from '../../../src/platform/identity/verify-token.ts'
import { newSigner, openJwksServer } from '../../support/jwks-server.ts'

const MAX_AGE_MS = 600_000
const COOL_DOWN_MS = 30_000

let server: Awaited<ReturnType<typeof openJwksServer>>
let time: number
let verify: ReturnType<typeof createTokenVerifier>

beforeEach(async () => {
  server = await openJwksServer()
  time = 1_000_000
  const load = () => loadKeysFromUrl(server.url)
  const keys = createKeySet({ load, maxAgeMs: MAX_AGE_MS, coolDownMs: COOL_DOWN_MS, now: () => time })
  verify = createTokenVerifier({ keys })
})
afterEach(() => server.close())

describe('published keys', () => {
  it('are read once for many tokens, also when they come together', async () => {
    const one = await newSigner('one')
    server.state.keys = [one.jwk]
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, index) => one.token(`user-${index}`)))
    expect(await Promise.all(tokens.map(verify))).toHaveLength(50)
    expect(server.state.reads).toBe(1)
  })

  it('are read again when a token names a new one, after the cool-down', async () => {
    const [one, two] = [await newSigner('one'), await newSigner('two')]
    server.state.keys = [one.jwk]
    await verify(await one.token())
    server.state.keys = [one.jwk, two.jwk]
    await expect(verify(await two.token())).rejects.toMatchObject({ code: 'unauthorized' })
    time += COOL_DOWN_MS
    expect(await verify(await two.token())).toBe('asha')
    expect(await verify(await one.token())).toBe('asha')
    expect(server.state.reads).toBe(2)
  })

  it('are not read more often for a flood of made-up key ids', async () => {
    const one = await newSigner('one')
    server.state.keys = [one.jwk]
    await verify(await one.token())
    time += COOL_DOWN_MS
    const strangers = await Promise.all(Array.from({ length: 30 }, (_, index) => newSigner(`made-up-${index}`)))
    const verdicts = await Promise.allSettled(strangers.map(async (stranger) => verify(await stranger.token())))
    expect(verdicts.every(({ status }) => status === 'rejected')).toBe(true)
    expect(server.state.reads).toBe(2)
  })

  it('stop working when they were withdrawn and have grown old', async () => {
    const one = await newSigner('one')
    server.state.keys = [one.jwk]
    await verify(await one.token())
    server.state.keys = [(await newSigner('two')).jwk]
    expect(await verify(await one.token())).toBe('asha')
    time += MAX_AGE_MS
    await expect(verify(await one.token())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('go on working while the publisher is away; a key not known is then "unavailable"', async () => {
    const [one, two] = [await newSigner('one'), await newSigner('two')]
    server.state.keys = [one.jwk]
    await verify(await one.token())
    server.state.status = 500
    time += MAX_AGE_MS
    expect(await verify(await one.token())).toBe('asha')
    await expect(verify(await two.token())).rejects.toMatchObject({ code: 'unavailable' })
    server.state.status = 200
    time += COOL_DOWN_MS
    await expect(verify(await two.token())).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('are waited for only so often while the publisher was never there', async () => {
    const one = await newSigner('one')
    server.state.status = 503
    for (let asked = 0; asked < 5; asked += 1) {
      await expect(verify(await one.token())).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(server.state.reads).toBe(1)
    Object.assign(server.state, { status: 200, keys: [one.jwk] })
    time += COOL_DOWN_MS
    expect(await verify(await one.token())).toBe('asha')
  })

  it.each([
    ['not JSON', '<html>'],
    ['not a key set', '{"keys":"none"}'],
    ['empty', '{"keys":[]}'],
    ['far too large', JSON.stringify({ keys: [{ kty: 'EC', x: 'x'.repeat(2_000_000) }] })],
  ])('that are %s count as unreachable', async (_name, body) => {
    server.state.body = body
    const one = await newSigner('one')
    await expect(verify(await one.token())).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('may lie in a file, whose change is noticed', async () => {
    const path = join(tmpdir(), `lipik-keys-${process.pid}.json`)
    const [one, two] = [await newSigner('one'), await newSigner('two')]
    await writeFile(path, JSON.stringify({ keys: [one.jwk] }))
    const keys = createKeySet({ load: () => loadKeysFromFile(path), maxAgeMs: MAX_AGE_MS, coolDownMs: 0 })
    const verifyByFile = createTokenVerifier({ keys })
    expect(await verifyByFile(await one.token())).toBe('asha')
    await writeFile(path, JSON.stringify({ keys: [two.jwk] }))
    expect(await verifyByFile(await two.token())).toBe('asha')
    await rm(path)
  })
})
