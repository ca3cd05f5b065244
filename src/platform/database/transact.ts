import type { Kysely, Transaction } from 'kysely'

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const TRIES = 5

/** Two transactions may lock the same rows in a different order; PostgreSQL then breaks one off, which may simply be done again. */
export async function transact<DB, T>(db: Kysely<DB>, work: (trx: Transaction<DB>) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (tried === TRIES || !mayBeRepeated(error)) throw error
    }
  }
}

const mayBeRepeated = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === DEADLOCK || error.code === SERIALIZATION)
