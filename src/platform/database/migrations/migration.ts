import type { Kysely } from 'kysely'

export type Migration = {
  /** The module's file name without its ending; what has run under this name never runs again. */
  readonly name: string
  /** Runs in a transaction of its own. Written against the tables as they were then, hence no type of today's schema. */
  up(db: Kysely<unknown>): Promise<void>
}
