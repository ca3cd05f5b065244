import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { argv } from 'node:process'
import { probeAudio } from '../../src/audio/probe.ts'
import { createRemoveJobsOf } from '../../src/batches/remove-jobs.ts'
import { FilesService } from '../../src/files/files-service.ts'
import { createApp } from '../../src/http/app.ts'
import { filesRoutes } from '../../src/http/files-routes.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { openDiskBlobStore } from '../../src/platform/storage/disk-blob-store.ts'

/**
 * The room of files as a process of its own, to be killed or measured: `files-server.ts DATABASE_URL FOLDER`. Prints its
 * port; ends with its standard input. The bearer token is the user's name.
 */
const [, , url = '', folder = ''] = argv
const GiB = 1024 ** 3
const log = createLogger({ level: 'error' })
const { db, close: closeDatabase } = openDatabase({ url, log })
const files = await FilesService.open({
  db,
  log,
  blobs: await openDiskBlobStore(join(folder, 'objects')),
  clock: systemClock,
  metrics: createMetrics(),
  probe: probeAudio,
  removeJobsOf: createRemoveJobsOf({ keepObjects: true }),
  spool: { folder: join(folder, 'spool'), minFreeBytes: 0 },
  limits: { maxFileBytes: 2 * GiB, maxUploadBytes: 20 * GiB, maxUploadFiles: 1_000 },
  upload: { concurrency: 4, maxAttempts: 5, retrySeconds: [1] },
})
const app = await createApp({
  log,
  basePath: '',
  maxJsonBytes: 1_048_576,
  verifyToken: async (token) => token as UserId,
  openRoutes: [],
  userRoutes: [filesRoutes(files)],
})
files.start()
await app.listen({ port: 0, host: '127.0.0.1' })
// Listening on a host gives an address object, never a pipe's name.
console.log((app.server.address() as AddressInfo).port)
process.stdin.resume().on('end', async () => {
  await app.close()
  await files.close()
  await closeDatabase()
})
