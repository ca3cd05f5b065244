import { filesMigration } from './0001-files.ts'
import { batchesMigration } from './0002-batches.ts'
import { apiKeysMigration } from './0003-api-keys.ts'
import { channelBalanceMigration } from './0004-channel-balance.ts'
import { plainStatisticsMigration } from './0005-plain-statistics.ts'
import type { Migration } from './migration.ts'

/** In the order they run. Append only: a migration that was released is never edited, moved or removed. */
export const allMigrations: readonly Migration[] = [
  filesMigration,
  batchesMigration,
  apiKeysMigration,
  channelBalanceMigration,
  plainStatisticsMigration,
]
