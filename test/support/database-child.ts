import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { lockFolder } from '../../src/platform/folder-lock.ts'
import { createLogger } from '../../src/platform/log.ts'

/** What a service does with its database, as a process of its own that a test can kill. Says one line when it is done. */
const log = createLogger({ level: 'silent' })
const [task, place = '', systemFolder = ''] = process.argv.slice(2)

try {
  if (task === 'migrate') await migrateTogether()
  if (task === 'lock') await lockFolder(place)
  if (task === 'serve') await serve()
  console.log('done')
  if (task === 'lock') setInterval(() => undefined, 60_000)
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

/** All children wait at the same gate, so that the race is one: the test opens it when the last has come. */
async function migrateTogether(): Promise<void> {
  const gate = new Client({ connectionString: place })
  await gate.connect()
  await gate.query('select pg_advisory_lock_shared(1)')
  await gate.end()
  await migrate({ url: place, log })
}

async function serve(): Promise<void> {
  const onGiveUp = () => process.exit(1)
  const server = await startEmbeddedPostgres({ dataDir: place, systemFolder, log, onGiveUp, durable: false })
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
}
