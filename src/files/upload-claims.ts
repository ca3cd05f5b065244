import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/schema.ts'
import { type FileId, newId } from '../platform/ids.ts'
import { scheduleDeletion } from './deferred-deletion.ts'
import { isGoneOwner, type Spool } from './spool.ts'
import { UPLOAD_MOVES } from './upload-moves.ts'

/** A file this process has taken on; `claim` tells it from every other taking of the same file. */
export type ClaimedFile = {
  readonly id: FileId
  readonly claim: string
  readonly storageKey: string
  readonly spoolPath: string
  readonly bytes: number
  readonly sha256: string
  readonly attempts: number
}

/**
 * The moves of files between spool and storage, each one statement. A claim is a lease: its holder renews it, and whoever
 * finds it run out, or its holder dead, gives the file back. Only files of the own spool folder are ever touched.
 */
export class UploadClaims {
  readonly #db: Kysely<Database>
  readonly #spool: Spool
  readonly #leaseMs: number

  constructor(db: Kysely<Database>, spool: Spool, leaseMs: number) {
    this.#db = db
    this.#spool = spool
    this.#leaseMs = leaseMs
  }

  async take(limit: number): Promise<ClaimedFile[]> {
    const { from, to } = UPLOAD_MOVES.claim
    const claim = `${this.#spool.owner}/${newId<FileId>()}`
    const rows = await this.#db
      // As a named query it runs once; inside the condition it might be run again, and lock more than it should.
      .with('due', (db) =>
        db
          .selectFrom('files')
          .select('id')
          .where('spool_id', '=', this.#spool.id)
          .where('upload_status', '=', from)
          .where('due_at', '<=', sql<Date>`now()`)
          .orderBy('due_at')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('files')
      .from('due')
      .set({ upload_status: to, claimed_by: claim, lease_until: this.#leaseEnd() })
      .whereRef('files.id', '=', 'due.id')
      .returning(['files.id', 'storage_key', 'spool_path', 'size_bytes', 'sha256', 'attempts'])
      .execute()
    return rows.map((row) => ({
      id: row.id as FileId,
      claim,
      storageKey: row.storage_key,
      // The table's check: only a completed file has no spool copy.
      spoolPath: row.spool_path as string,
      bytes: row.size_bytes,
      sha256: row.sha256,
      attempts: row.attempts,
    }))
  }

  /** Returns those still ours. Rows are locked in the order of their ids, as deletes do. */
  async renew(files: readonly ClaimedFile[]): Promise<Set<FileId>> {
    if (files.length === 0) return new Set()
    const ours = this.#db
      .selectFrom('files')
      .select('id')
      .where(({ or, and }) => or(files.map(({ id, claim }) => and({ id, claimed_by: claim }))))
      .orderBy('id')
      .forUpdate()
    const rows = await this.#db
      .updateTable('files')
      .set({ lease_until: this.#leaseEnd() })
      .where('id', 'in', ours)
      .returning('id')
      .execute()
    return new Set(rows.map(({ id }) => id as FileId))
  }

  /** False: the file was deleted or taken over meanwhile. */
  store = (file: ClaimedFile): Promise<boolean> =>
    this.#finish(file, 'store', { spool_path: null, completed_at: sql<Date>`now()`, last_error: null })

  retry = (file: ClaimedFile, afterMs: number, reason: string): Promise<boolean> =>
    this.#finish(file, 'retry', {
      attempts: file.attempts + 1,
      due_at: sql<Date>`now() + ${afterMs} * interval '1 millisecond'`,
      last_error: reason,
    })

  release = (file: ClaimedFile): Promise<boolean> => this.#finish(file, 'release', {})

  /** What may have reached storage of a file given up is nobody's, and goes. */
  giveUp(file: ClaimedFile, reason: string): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const gaveUp = await this.#finish(
        file,
        'giveUp',
        { attempts: file.attempts + 1, last_error: reason },
        transaction,
      )
      if (gaveUp) await scheduleDeletion(transaction, [file.storageKey])
      return gaveUp
    })
  }

  /** Gives back what dead processes held, at once where this machine knows that they are dead, else when leases end. */
  async releaseLost(): Promise<void> {
    const { from, to } = UPLOAD_MOVES.release
    const held = await this.#db
      .selectFrom('files')
      .select(['claimed_by', sql<boolean>`lease_until < now()`.as('ended')])
      .distinct()
      .where('spool_id', '=', this.#spool.id)
      .where('upload_status', '=', from)
      .execute()
    const lost = held.flatMap(({ claimed_by, ended }) => {
      const owner = claimed_by?.split('/')[0] ?? ''
      return claimed_by !== null && (ended || isGoneOwner(owner, this.#spool.owner)) ? [claimed_by] : []
    })
    if (lost.length === 0) return
    const rows = this.#db
      .selectFrom('files')
      .select('id')
      .where('claimed_by', 'in', lost)
      .where('upload_status', '=', from)
      .forUpdate()
      .skipLocked()
    await this.#db
      .updateTable('files')
      .set({ upload_status: to, claimed_by: null, lease_until: null })
      .where('id', 'in', rows)
      .execute()
  }

  async exists(file: ClaimedFile): Promise<boolean> {
    const row = await this.#db.selectFrom('files').select('id').where('id', '=', file.id).executeTakeFirst()
    return row !== undefined
  }

  #leaseEnd() {
    return sql<Date>`now() + ${this.#leaseMs} * interval '1 millisecond'`
  }

  async #finish(
    file: ClaimedFile,
    move: keyof typeof UPLOAD_MOVES,
    values: object,
    db: Kysely<Database> = this.#db,
  ): Promise<boolean> {
    const { from, to } = UPLOAD_MOVES[move]
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ upload_status: to, claimed_by: null, lease_until: null, ...values })
      .where('id', '=', file.id)
      .where('claimed_by', '=', file.claim)
      .where('upload_status', '=', from)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}
