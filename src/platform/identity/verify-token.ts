import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { LipikError } from '../errors.ts'
import type { UserId } from '../ids.ts'

export type TokenRules = {
  readonly keys: JWTVerifyGetKey
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
}

/** Asymmetric only: a shared secret would let anyone who can check a token also make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const CLOCK_TOLERANCE_SECONDS = 30
const MAX_SUBJECT_LENGTH = 255
/** Control characters and halves of surrogate pairs: they cannot be stored, or would make two users one. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u

export const createTokenVerifier =
  ({ keys, issuer, audience }: TokenRules) =>
  async (token: string): Promise<UserId> => {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
      ...(issuer !== undefined && { issuer }),
      ...(audience !== undefined && { audience }),
    }).catch(refuse)
    return subject(payload.sub)
  }

function subject(sub: unknown): UserId {
  if (typeof sub === 'string' && sub.length > 0 && sub.length <= MAX_SUBJECT_LENGTH && !UNSTORABLE.test(sub)) {
    // A verified subject is what a UserId is.
    return sub as UserId
  }
  throw new LipikError('unauthorized', 'the token\'s "sub" does not name a user')
}

function refuse(error: unknown): never {
  if (error instanceof LipikError) throw error
  throw new LipikError('unauthorized', reason(error), { cause: error })
}

function reason(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) return `the token's "${error.claim}" is not acceptable`
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the token is signed with an algorithm that is not allowed'
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the token's signature is wrong"
  if (error instanceof errors.JOSEError) return 'the token is not valid'
  // A published key may be too weak, or no key at all: the library then fails in its own ways.
  return 'the token is signed by a key that cannot be used'
}
