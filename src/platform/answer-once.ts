import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './database/schema.ts'
import { LipikError } from './errors.ts'
import type { UserId } from './ids.ts'

/** How long a key is remembered. */
const REMEMBERED = sql`interval '24 hours'`

export type RepeatableRequest = {
  readonly user: UserId
  /** Which kind of request: keys of an upload and of a submission do not meet. */
  readonly scope: 'upload' | 'batch'
  /** What the client sent as `Idempotency-Key`; undefined: every request is a new one. */
  readonly key: string | undefined
  /** A hash of all that makes two requests the same. */
  readonly fingerprint: string
}

export type OnceAnswer<T> = { readonly answer: T; readonly isRepeat: boolean }

/**
 * Does the work of a request once for each key, in the transaction that also remembers its answer: a repeated request
 * gets that answer again, the same key with another body is a conflict. Duplicates at the same moment wait for each
 * other; when the first one fails nothing is remembered and the next one works.
 */
export async function answerOnce<T extends object>(
  transaction: Transaction<Database>,
  { user, scope, key, fingerprint }: RepeatableRequest,
  work: () => Promise<T>,
): Promise<OnceAnswer<T>> {
  if (key === undefined) return { answer: await work(), isRepeat: false }
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([scope, user, key])}, 0))`.execute(
    transaction,
  )
  const row = { user_id: user, scope, key }
  const known = await transaction
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where((each) => each.and(row))
    .where('created_at', '>', sql<Date>`now() - ${REMEMBERED}`)
    .executeTakeFirst()
  if (known && known.fingerprint !== fingerprint)
    throw new LipikError('conflict', 'this Idempotency-Key was used for another request')
  // The row holds what `work` of the same scope and fingerprint returned.
  if (known) return { answer: known.answer as T, isRepeat: true }
  const answer = await work()
  const remembered = { fingerprint, answer: JSON.stringify(answer), created_at: sql<Date>`now()` }
  await transaction
    .insertInto('idempotency_keys')
    .values({ ...row, ...remembered })
    .onConflict((same) => same.columns(['user_id', 'scope', 'key']).doUpdateSet(remembered))
    .execute()
  return { answer, isRepeat: false }
}

/** Forgets keys past their time; `answerOnce` no longer looks at them. */
export async function forgetOldAnswers(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', sql<Date>`now() - ${REMEMBERED}`).execute()
}
