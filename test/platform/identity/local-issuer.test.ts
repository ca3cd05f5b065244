import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIdentity } from '../../../src/platform/identity/open-identity.ts'
import { newSigner, openJwksServer } from '../../support/jwks-server.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lipik-identity-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const open = (extra: object = {}) => openIdentity({ dataDir, maxAgeMs: 60_000, coolDownMs: 0, ...extra })

describe('the local issuer', () => {
  it('mints tokens that pass the same verification as anyone else', async () => {
    const { verifyToken, localIssuer } = await open()
    const token = (await localIssuer?.mint({ user: 'asha', ttlSeconds: 60 })) ?? ''
    expect(await verifyToken(token)).toBe('asha')
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: expect.any(String) })
    const { iat = 0, exp } = decodeJwt(token)
    expect(exp).toBe(iat + 60)
  })

  it('keeps its key in a file nobody else can read, and publishes only the public half', async () => {
    const { localIssuer } = await open()
    const file = join(dataDir, 'identity', 'signing-key.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(localIssuer?.publicKeys.keys).toEqual([expect.not.objectContaining({ d: expect.anything() })])
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('d')
  })

  it('has one key however many open it at the same moment, and keeps it', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => open()))
    const again = await open()
    const ids = [...all, again].map(({ localIssuer }) => localIssuer?.publicKeys.keys[0]?.kid)
    expect(new Set(ids).size).toBe(1)
    expect(await readdir(join(dataDir, 'identity'))).toEqual(['signing-key.json'])
  })

  it('carries the issuer and audience that are asked for', async () => {
    const { verifyToken, localIssuer } = await open({ issuer: 'me', audience: 'you' })
    const token = (await localIssuer?.mint({ user: 'asha', ttlSeconds: 60 })) ?? ''
    expect(decodeJwt(token)).toMatchObject({ iss: 'me', aud: 'you' })
    expect(await verifyToken(token)).toBe('asha')
    await expect((await open()).verifyToken(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('does not destroy a key file it cannot read', async () => {
    await open()
    const file = join(dataDir, 'identity', 'signing-key.json')
    await writeFile(file, 'not a key')
    await expect(open()).rejects.toThrow(/does not hold an ES256 key/)
    expect(await readFile(file, 'utf8')).toBe('not a key')
  })

  it('does not exist where keys are configured, and its old tokens are refused', async () => {
    const { localIssuer } = await open()
    const old = (await localIssuer?.mint({ user: 'asha', ttlSeconds: 60 })) ?? ''
    const other = await newSigner('one')
    const server = await openJwksServer([other.jwk])
    const identity = await open({ jwksUrl: server.url })
    expect(identity.localIssuer).toBeUndefined()
    expect(await identity.verifyToken(await other.token('kabir'))).toBe('kabir')
    await expect(identity.verifyToken(old)).rejects.toMatchObject({ code: 'unauthorized' })
    await server.close()
  })

  it('is not made beside a key file that cannot be read', async () => {
    await expect(open({ jwksFile: join(dataDir, 'none.json') })).rejects.toThrow(/ENOENT/)
    expect(await readdir(dataDir)).toEqual([])
  })
})
