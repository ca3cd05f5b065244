import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '../../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createLogger } from '../../src/platform/log.ts'

export type BenchDatabase = OpenDatabase & { readonly url: string; readonly folder: string }

/** A fresh, durable PostgreSQL as the service itself starts it, and a folder beside it for what else is measured. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const log = createLogger({ level: 'error' })
  const folder = await mkdtemp(join(tmpdir(), 'lipik-bench-'))
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    log,
    durable: true,
    systemFolder: `${folder}-system`,
    onGiveUp: (cause) => log.fatal({ cause }, 'the PostgreSQL of the benchmark does not stay up'),
  })
  await migrate({ url: server.url, log })
  const open = openDatabase({ url: server.url, log })
  return {
    ...open,
    url: server.url,
    folder,
    async close() {
      await open.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      await rm(`${folder}-system`, { recursive: true, force: true })
    },
  }
}
