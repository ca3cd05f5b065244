import { join } from 'node:path'
import type { UserId } from '../ids.ts'
import { createKeySet } from './key-set.ts'
import { loadKeysFromFile, loadKeysFromUrl } from './load-keys.ts'
import { LOCAL_ISSUER, type LocalIssuer, openLocalIssuer } from './local-issuer.ts'
import { createTokenVerifier } from './verify-token.ts'

export type IdentitySettings = {
  readonly dataDir: string
  readonly jwksUrl?: string | undefined
  readonly jwksFile?: string | undefined
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
  readonly maxAgeMs: number
  readonly coolDownMs: number
}

export type Identity = {
  readonly verifyToken: (token: string) => Promise<UserId>
  /** Only where nobody else's keys are configured. */
  readonly localIssuer: LocalIssuer | undefined
}

/** Tokens of the embedded issuer and of anyone else's pass through the same verification. */
export async function openIdentity(settings: IdentitySettings): Promise<Identity> {
  const { jwksUrl, jwksFile, issuer, audience, maxAgeMs, coolDownMs } = settings
  const published = { maxAgeMs, coolDownMs }
  if (jwksUrl !== undefined) {
    const keys = createKeySet({ load: () => loadKeysFromUrl(jwksUrl), ...published })
    return { verifyToken: createTokenVerifier({ keys, issuer, audience }), localIssuer: undefined }
  }
  if (jwksFile !== undefined) {
    // A file that cannot be read at the start is a mistake, not an outage.
    await loadKeysFromFile(jwksFile)
    const keys = createKeySet({ load: () => loadKeysFromFile(jwksFile), ...published })
    return { verifyToken: createTokenVerifier({ keys, issuer, audience }), localIssuer: undefined }
  }
  const localIssuer = await openLocalIssuerOf(settings)
  const keys = createKeySet({ load: async () => localIssuer.publicKeys, ...published })
  return { verifyToken: createTokenVerifier({ keys, issuer: issuer ?? LOCAL_ISSUER, audience }), localIssuer }
}

const openLocalIssuerOf = ({ dataDir, issuer, audience }: IdentitySettings): Promise<LocalIssuer> =>
  openLocalIssuer({ keyFile: join(dataDir, 'identity', 'signing-key.json'), issuer: issuer ?? LOCAL_ISSUER, audience })
