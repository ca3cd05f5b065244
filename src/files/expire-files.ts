import type { Kysely } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { LipikError } from '../platform/errors.ts'
import type { UserId } from '../platform/ids.ts'

const AT_A_TIME = 500
const DAY_MS = 86_400_000

export type DeleteFilesOf = (user: UserId, ids: readonly string[]) => Promise<unknown>

/** Deletes files that came more than `days` ago, each user's as the user would. Returns whether there may be more. */
export async function expireFiles(db: Kysely<Database>, days: number, deleteFilesOf: DeleteFilesOf): Promise<boolean> {
  const old = await db
    .selectFrom('files')
    .select(['id', 'user_id'])
    .where('id', '<', firstIdAt(Date.now() - days * DAY_MS))
    .orderBy('id')
    .limit(AT_A_TIME)
    .execute()
  for (const user of new Set(old.map(({ user_id }) => user_id))) {
    const ids = old.filter(({ user_id }) => user_id === user).map(({ id }) => id)
    await deleteFilesOf(user as UserId, ids).catch(ignoreDeleted)
  }
  return old.length === AT_A_TIME
}

/** Ids begin with the millisecond they were made in (RFC 9562, section 5.7), so their index is also one on age. */
function firstIdAt(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The user was faster with one of them; the others are found again next time. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof LipikError) || error.code !== 'not_found') throw error
}
