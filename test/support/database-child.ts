import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { lockFolder } from '../../src/platform/folder-lock.ts'
import { createLogger } from '../../src/platform/log.ts'

/** What a service does with its database, as a process of its own that a test can kill. Says one line when it is done. */
const log = createLogger({ level: 'silent' })
const [task, place = '', systemFolder = ''] = process.argv.slice(2)

try {
  if (task === 'migrate') await migrate({ url: place, log })
  if (task === 'lock') await lockFolder(place)
  if (task === 'serve') await serve()
  console.log('done')
  if (task === 'lock') setInterval(() => undefined, 60_000)
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function serve(): Promise<void> {
  const onGiveUp = () => process.exit(1)
  const server = await startEmbeddedPostgres({ dataDir: place, systemFolder, log, onGiveUp, durable: false })
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
}
