import type { IdentitySettings } from '../platform/identity/open-identity.ts'
import type { Config } from './config.ts'

export const identityOf = (config: Config): IdentitySettings => ({
  dataDir: config.DATA_DIR,
  jwksUrl: config.AUTH_JWKS_URL,
  jwksFile: config.AUTH_JWKS_FILE,
  issuer: config.AUTH_ISSUER,
  audience: config.AUTH_AUDIENCE,
  maxAgeMs: config.AUTH_JWKS_MAX_AGE_SECONDS * 1_000,
  coolDownMs: config.AUTH_JWKS_COOLDOWN_SECONDS * 1_000,
})
