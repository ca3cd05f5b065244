import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { LipikError } from '../errors.ts'
import { type ApiKeyId, isUuid, newId, type UserId } from '../ids.ts'
import { hashUser } from './user-hash.ts'

const KEY_PREFIX = 'lk_'
const EPHEMERAL_PREFIX = 'ek_'
/** When a key was last used is worth a write now and then, not one for each connection. */
const USE_NOTED_EVERY = sql`interval '1 minute'`

/** Who somebody is, and whose limits count. */
export type Caller = { readonly userId: UserId; readonly limitKey: string }

export type ApiKey = {
  readonly id: ApiKeyId
  readonly userId: UserId
  /** Its last letters, to recognise it by. */
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export const isApiKey = (credential: string): boolean => credential.startsWith(KEY_PREFIX)
export const isEphemeral = (credential: string): boolean => credential.startsWith(EPHEMERAL_PREFIX)

/** Long and random, so a plain hash is enough; letters that may stand in a WebSocket subprotocol. */
const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url')
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** The key is given here and never again. */
export async function createApiKey(db: Kysely<Database>, userId: UserId): Promise<{ id: ApiKeyId; key: string }> {
  const id = newId<ApiKeyId>()
  const key = newSecret(KEY_PREFIX)
  const row = { id, user_id: userId, secret_hash: hashOf(key), hint: key.slice(-4) }
  await db.insertInto('api_keys').values(row).execute()
  return { id, key }
}

export async function listApiKeys(db: Kysely<Database>): Promise<ApiKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    // What createApiKey put there.
    id: row.id as ApiKeyId,
    userId: row.user_id as UserId,
    hint: row.hint,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }))
}

/** False: there is no such key, or it was revoked before. */
export async function revokeApiKey(db: Kysely<Database>, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function verifyApiKey(db: Kysely<Database>, key: string): Promise<Caller> {
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'user_id'])
    .where('secret_hash', '=', hashOf(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new LipikError('unauthorized', 'the API key is not known, or was revoked')
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', row.id)
    .where(sql<boolean>`last_used_at is null or last_used_at < now() - ${USE_NOTED_EVERY}`)
    .execute()
  return { userId: row.user_id as UserId, limitKey: row.id }
}

/** A bearer of a key or of a token of an issuer. */
export const createCallerVerifier =
  (db: Kysely<Database>, verifyToken: (token: string) => Promise<UserId>) =>
  async (credential: string): Promise<Caller> => {
    if (isApiKey(credential)) return verifyApiKey(db, credential)
    const userId = await verifyToken(credential)
    return { userId, limitKey: hashUser(userId) }
  }

export type EphemeralToken = { readonly value: string; readonly expiresAt: Date }

/** Good for beginning sessions until it expires; `session` is what such a session begins with. */
export async function mintEphemeral(
  db: Kysely<Database>,
  { userId, limitKey }: Caller,
  session: object,
  seconds: number,
): Promise<EphemeralToken> {
  const value = newSecret(EPHEMERAL_PREFIX)
  const expiresAt = new Date(Date.now() + seconds * 1_000)
  await db.deleteFrom('ephemeral_tokens').where('expires_at', '<', sql<Date>`now()`).execute()
  const row = { secret_hash: hashOf(value), user_id: userId, limit_key: limitKey, expires_at: expiresAt }
  await db
    .insertInto('ephemeral_tokens')
    .values({ ...row, session: JSON.stringify(session) })
    .execute()
  return { value, expiresAt }
}

export async function verifyEphemeral(
  db: Kysely<Database>,
  value: string,
): Promise<Caller & { readonly session: object }> {
  const row = await db
    .selectFrom('ephemeral_tokens')
    .select(['user_id', 'limit_key', 'session'])
    .where('secret_hash', '=', hashOf(value))
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  if (!row) throw new LipikError('unauthorized', 'the ephemeral token is not known, or has expired')
  return { userId: row.user_id as UserId, limitKey: row.limit_key, session: row.session }
}
