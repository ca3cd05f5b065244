import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const channelBalanceMigration: Migration = {
  name: '0004-channel-balance',
  async up(db) {
    await sql`alter table jobs add column channel_balance bytea`.execute(db)
  },
}
