import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { LipikError } from '../errors.ts'

export type KeySetOptions = {
  /** Reads the keys from where they are published; rejects when that cannot be reached or understood. */
  readonly load: () => Promise<JSONWebKeySet>
  /** After this long the keys are read again, so that a withdrawn key stops working. */
  readonly maxAgeMs: number
  /** A key nobody knows causes at most one reading in this time, however many tokens name it. */
  readonly coolDownMs: number
  readonly now?: () => number
}

type Keys = ReturnType<typeof createLocalJWKSet>

/**
 * Published keys, read when first needed, when old, and when a token names a key not seen yet (rotation). While the
 * publisher cannot be reached, keys already known go on working; for any other key the answer is `unavailable`, because
 * nobody can say whether the token is good.
 */
export function createKeySet({ load, maxAgeMs, coolDownMs, now = Date.now }: KeySetOptions): JWTVerifyGetKey {
  let keys: Keys | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    triedAt = now()
    try {
      keys = createLocalJWKSet(await load())
      readAt = now()
      failure = undefined
    } catch (error) {
      failure = error
    }
  }
  const readOnce = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  const mayRead = () => reading !== undefined || now() - triedAt >= coolDownMs

  return async (header, token) => {
    if (now() - readAt >= maxAgeMs && mayRead()) await readOnce()
    const known = await keyOf(keys, header, token)
    if (known !== undefined) return known
    if (mayRead()) await readOnce()
    const key = await keyOf(keys, header, token)
    if (key !== undefined) return key
    if (failure !== undefined) {
      throw new LipikError('unavailable', 'the keys that tokens are checked with cannot be read now', {
        cause: failure,
      })
    }
    throw new LipikError('unauthorized', 'the token is signed by an unknown key')
  }
}

async function keyOf(keys: Keys | undefined, ...[header, token]: Parameters<Keys>) {
  try {
    return await keys?.(header, token)
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined
    throw error
  }
}
