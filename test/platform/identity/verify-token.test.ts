import { generateKeyPairSync, KeyObject, sign as signBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, type JWTVerifyGetKey, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKeySet } from '../../../src/platform/identity/key-set.ts'
import { createTokenVerifier } from '../../../src/platform/identity/verify-token.ts'

const now = () => Math.floor(Date.now() / 1_000)
const claims = (extra: JWTPayload = {}): JWTPayload => ({
  sub: 'asha',
  iss: 'https://issuer.example',
  aud: 'speech',
  exp: now() + 600,
  ...extra,
})
const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name))

const rsa = (modulusLength = 2_048) => generateKeyPairSync('rsa', { modulusLength })
const pair = rsa()
const other = rsa()
let keys: JWTVerifyGetKey

beforeAll(async () => {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one' }
  keys = createKeySet({ load: async () => ({ keys: [jwk] }), maxAgeMs: 60_000, coolDownMs: 60_000 })
})

const verify = (token: string) =>
  createTokenVerifier({ keys, issuer: 'https://issuer.example', audience: 'speech' })(token)
const sign = (payload: JWTPayload, header: Record<string, unknown> = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(pair.privateKey)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const refused = (token: string) => expect(verify(token)).rejects.toMatchObject({ code: 'unauthorized' })

describe('a token', () => {
  it('that is in order names the user', async () => {
    expect(await verify(await sign(claims()))).toBe('asha')
  })

  it.each([
    ['issued for several audiences', { aud: ['other', 'speech'] }],
    ['expired 20 s ago, within the tolerance', { exp: now() - 20 }],
    ['valid in 20 s, within the tolerance', { nbf: now() + 20 }],
    ['with a subject in Devanagari', { sub: 'आशा' }],
    ['with the longest subject', { sub: 'a'.repeat(255) }],
  ])('%s is accepted', async (_name, extra) => {
    expect(await verify(await sign(claims(extra)))).toBe(claims(extra).sub)
  })

  it.each([
    ['expired', { exp: now() - 40 }],
    ['not yet valid', { nbf: now() + 40 }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of an issuer that only begins alike', { iss: 'https://issuer.example.evil' }],
    ['for another audience', { aud: 'other' }],
    ['for nobody', { aud: [] as string[] }],
    ['with an empty subject', { sub: '' }],
    ['with NUL in the subject', { sub: 'as\u0000ha' }],
    ['with half a surrogate pair in the subject', { sub: 'asha\ud800' }],
    ['with a subject too long', { sub: 'a'.repeat(256) }],
    ['with a number for a subject', { sub: 7 as unknown as string }],
    ['with a list for a subject', { sub: ['asha'] as unknown as string }],
    ['with a text for an expiry', { exp: '9999999999' as unknown as number }],
    ['with an expiry far out of range', { exp: Number.NaN }],
  ])('%s is refused', async (_name, extra) => {
    const body = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims(extra))}`
    await refused(`${body}.${signBytes('sha256', Buffer.from(body), pair.privateKey).toString('base64url')}`)
  })

  it.each(['sub', 'exp', 'iss', 'aud'])('without "%s" is refused', async (name) => refused(await sign(without(name))))

  it('without a signature (alg none) is refused', async () => {
    await refused(new UnsecuredJWT(claims()).encode())
    await refused(`${encode({ alg: 'none', kid: 'one' })}.${encode(claims())}.`)
    await refused(`${encode({ alg: 'None', kid: 'one' })}.${encode(claims())}.`)
  })

  it.each(['HS256', 'HS384', 'HS512'])('signed %s with the public key as the secret is refused', async (alg) => {
    const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    for (const secret of [pem, pem.trim(), JSON.stringify(await exportJWK(pair.publicKey))]) {
      const token = new SignJWT(claims()).setProtectedHeader({ alg, kid: 'one' })
      await refused(await token.sign(new TextEncoder().encode(secret)))
    }
  })

  it('naming a key nobody published is refused', async () => refused(await sign(claims(), { kid: 'two' })))

  it('naming a path for a key is refused', async () => refused(await sign(claims(), { kid: '../../etc/passwd' })))

  it('signed by someone else under a known key id is refused', async () => {
    const token = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'one' })
    await refused(await token.sign(other.privateKey))
  })

  it('bringing its own key along is refused', async () => {
    const jwk = await exportJWK(other.publicKey)
    const header = { alg: 'RS256', kid: 'one', jwk, jku: 'https://evil.example/jwks.json' }
    await refused(await new SignJWT(claims()).setProtectedHeader(header).sign(other.privateKey))
  })

  it('with a critical header nobody understands is refused', async () => {
    const body = `${encode({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })}.${encode(claims())}`
    await refused(`${body}.AAAA`)
  })

  it('whose claims were changed is refused', async () => {
    const [header, , signature] = (await sign(claims())).split('.')
    await refused(`${header}.${encode(claims({ sub: 'kabir' }))}.${signature}`)
  })

  it('with an algorithm its key is not for is refused', async () => {
    await refused(`${encode({ alg: 'ES256', kid: 'one' })}.${encode(claims())}.AAAA`)
  })

  it.each([
    '',
    'a',
    'a.b',
    'a.b.c',
    'a.b.c.d.e',
    '..',
    `${'a'.repeat(70)}.b.c`,
  ])('that is no token at all is refused: %s', async (text) => refused(text))

  it('with claims that are not an object is refused', async () => {
    await refused(`${encode({ alg: 'RS256', kid: 'one' })}.${encode('asha')}.AAAA`)
    await refused(`${encode({ alg: 'RS256', kid: 'one' })}.${encode(['asha'])}.AAAA`)
  })
})

describe('the allowed algorithms', () => {
  it.each([
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
  ])('include %s', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: alg }
    const set = createKeySet({ load: async () => ({ keys: [jwk] }), maxAgeMs: 60_000, coolDownMs: 0 })
    const token = await new SignJWT({ sub: 'asha', exp: now() + 60 })
      .setProtectedHeader({ alg, kid: alg })
      .sign(privateKey)
    expect(await createTokenVerifier({ keys: set })(token)).toBe('asha')
  })

  it('do not include a shared secret that stands in the key set', async () => {
    const secret = new TextEncoder().encode('a secret of at least thirty-two bytes')
    const jwk = { kty: 'oct', kid: 'shared', k: Buffer.from(secret).toString('base64url') }
    const set = createKeySet({ load: async () => ({ keys: [jwk] }), maxAgeMs: 60_000, coolDownMs: 0 })
    const token = await new SignJWT({ sub: 'asha', exp: now() + 60 })
      .setProtectedHeader({ alg: 'HS256', kid: 'shared' })
      .sign(secret)
    await expect(createTokenVerifier({ keys: set })(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it.each([
    ['an RSA key of 1024 bits', rsa(1_024)],
    ['a key that is none', { ...pair, publicKey: { kty: 'RSA', n: '!', e: 'AQAB' } }],
  ])('do not include %s', async (_name, { publicKey, privateKey }) => {
    const jwk = { ...(publicKey instanceof KeyObject ? await exportJWK(publicKey) : publicKey), kid: 'weak' }
    const set = createKeySet({ load: async () => ({ keys: [jwk] }), maxAgeMs: 60_000, coolDownMs: 0 })
    const body = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode({ sub: 'asha', exp: now() + 60 })}`
    const signature = signBytes('sha256', Buffer.from(body), privateKey).toString('base64url')
    const verdict = createTokenVerifier({ keys: set })(`${body}.${signature}`)
    await expect(verdict).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
