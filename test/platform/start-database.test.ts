import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, pingDatabase } from '../../src/platform/database/database.ts'
import { joinDatabase, startDatabase } from '../../src/platform/database/start-database.ts'
import { createLogger } from '../../src/platform/log.ts'
import { openTestDatabase } from '../support/database.ts'
import { postmasterOf, until } from '../support/embedded-postgres.ts'

const log = createLogger({ level: 'silent' })
const onGiveUp = () => undefined

describe('the database of the service', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lipik-start-'))
    await chmod(dataDir, 0o755)
  })
  afterAll(() => rm(dataDir, { recursive: true }))

  it('is a server where one is named, and nothing is put into the data folder', async () => {
    const server = await openTestDatabase()
    const database = await startDatabase({ url: server.url, dataDir, log, onGiveUp })
    await pingDatabase(database.db)
    await database.close()
    expect(await readdir(dataDir)).toEqual([])
    await server.close()
  })

  it('says that it is away in a way that asks to come back', async () => {
    const { db, close } = openDatabase({ url: 'postgresql://lipik@127.0.0.1:1/lipik', log })
    await expect(pingDatabase(db)).rejects.toMatchObject({ code: 'unavailable', retryable: true })
    await close()
  })

  it('is otherwise its own, shared with commands, and works again after a crash', async () => {
    await expect(joinDatabase({ url: undefined, dataDir, log })).rejects.toThrow('start it first, or set DATABASE_URL')
    let restarts = 0
    const database = await startDatabase({
      url: undefined,
      dataDir,
      log,
      onGiveUp,
      durable: false,
      onRestart: () => restarts++,
    })
    const guest = await joinDatabase({ url: undefined, dataDir, log })
    const names = await sql`select name from lipik_migrations`.execute(guest.db)
    expect(names.rows.length).toBeGreaterThan(0)

    process.kill(await postmasterOf(database.url), 'SIGKILL')
    const answers = () =>
      pingDatabase(database.db).then(
        () => true,
        () => false,
      )
    await until(() => restarts === 1)
    await until(answers)

    await guest.close()
    await database.close()
    await expect(joinDatabase({ url: undefined, dataDir, log })).rejects.toThrow('start it first')
  })
})
