import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  SignJWT,
} from 'jose'
import { z } from 'zod'

const ALGORITHM = 'ES256'
export const LOCAL_ISSUER = 'lipik'

const PRIVATE_KEY = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
})
type PrivateKey = z.infer<typeof PRIVATE_KEY>

export type TokenRequest = { readonly user: string; readonly ttlSeconds: number }

/** The issuer of the embedded default: one key in the data folder, whose public half is served like anyone's. */
export type LocalIssuer = {
  readonly publicKeys: JSONWebKeySet
  mint(request: TokenRequest): Promise<string>
}

export type IssuerOptions = {
  readonly keyFile: string
  readonly issuer: string
  readonly audience?: string | undefined
}

/** Service and command line may open this at the same moment on an empty folder: both get the one key that stays. */
export async function openLocalIssuer({ keyFile, issuer, audience }: IssuerOptions): Promise<LocalIssuer> {
  const key = (await readKey(keyFile)) ?? (await makeKey(keyFile))
  const signingKey = await importJWK(key, ALGORITHM)
  return {
    publicKeys: { keys: [publicHalf(key)] },
    mint: async ({ user, ttlSeconds }) => {
      const now = Math.floor(Date.now() / 1_000)
      const token = new SignJWT({ sub: user, iss: issuer, iat: now, exp: now + ttlSeconds, jti: randomUUID() })
      if (audience !== undefined) token.setAudience(audience)
      return token.setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' }).sign(signingKey)
    },
  }
}

const publicHalf = ({ d: _secret, ...rest }: PrivateKey): JWK => ({ ...rest, alg: ALGORITHM, use: 'sig' })

async function readKey(keyFile: string): Promise<PrivateKey | undefined> {
  const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseKey(text, keyFile)
}

function parseKey(text: string, keyFile: string): PrivateKey {
  try {
    return PRIVATE_KEY.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${keyFile} does not hold an ES256 key; move it away and a new one is made`, { cause })
  }
}

/** Written whole beside its place and then linked there: linking fails where a key already is, and then that one counts. */
async function makeKey(keyFile: string): Promise<PrivateKey> {
  await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 })
  const draft = `${keyFile}.${randomUUID()}`
  await writePrivately(draft, JSON.stringify(await newKey()))
  try {
    await link(draft, keyFile)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  return parseKey(await readFile(keyFile, 'utf8'), keyFile)
}

async function newKey(): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  return PRIVATE_KEY.parse({ ...jwk, kid: await calculateJwkThumbprint(jwk) })
}

async function writePrivately(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
