import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type InstantNode, type NodeRole, runInstantNode } from '../support/run-instant-node.ts'
import { ServiceClient } from '../support/service-client.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

/** A server and workers of both modes, each a process of its own, on one DATABASE_URL and one storage. */
describe('one service of many processes', () => {
  let database: TestDatabase
  let folder: TemporaryFolder
  let client: ServiceClient
  const nodes: InstantNode[] = []
  const start = (role: NodeRole): InstantNode => {
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: folder.path,
      STORAGE_URL: `file:${folder.path}/objects`,
      PORT: '0',
      SPOOL_MIN_FREE_BYTES: '0',
      EMBEDDED_WORKERS: 'false',
    }
    const node = runInstantNode(role, env)
    nodes.push(node)
    return node
  }

  beforeAll(async () => {
    expect(inject('postgresUrl')).toBeDefined()
    database = await openTestDatabase()
    folder = await makeTemporaryFolder()
    const server = await start('server').ready
    client = new ServiceClient(server.origin, server.token)
    await Promise.all((['file', 'chunk', 'chunk', 'chunk'] as const).map((role) => start(role).ready))
  }, 180_000)
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.kill('SIGTERM')))
    await database.close()
    await folder.remove()
  }, 60_000)

  const texts = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`f${at}.wav`, `!slow:50 a${at}\n!slow:50 b${at}\n!slow:50 c${at}`]),
    )

  it('shares the work of a batch among all of them', async () => {
    const batch = await client.submit(texts(20), 'shared')
    const workers = new Set<string>()
    await eventually(
      async () => {
        const rows = await database.db.selectFrom('jobs').select('worker_id').where('kind', '=', 'chunk').execute()
        for (const { worker_id } of rows) if (worker_id) workers.add(worker_id)
        return client.hasEnded(batch)
      },
      Boolean,
      120_000,
    )
    const files = await client.files(batch)
    expect(files.map(({ result }) => result?.text)).toEqual(files.map((_, at) => `a${at} b${at} c${at}`))
    expect(workers.size).toBe(3)
  }, 180_000)

  it('brings back the jobs of a killed worker within a minute, and none is heard twice', async () => {
    const batch = await client.submit({ 'long.wav': '!slow:3000 x\n!slow:3000 y\n!slow:3000 z' }, 'killed')
    const held = () =>
      database.db
        .selectFrom('jobs')
        .selectAll()
        .where('batch_id', '=', batch)
        .where('status', '=', 'processing')
        .where('kind', '=', 'chunk')
        .execute()
    await eventually(held, (jobs) => jobs.length > 0, 60_000)
    const victims = nodes.filter(({ role }) => role === 'chunk')
    await Promise.all(victims.map((node) => node.kill('SIGKILL')))
    const died = performance.now()
    const lost = (await held()).map(({ id }) => id)
    expect(lost.length).toBeGreaterThan(0)
    await Promise.all([start('chunk').ready, start('chunk').ready])
    const again = () => database.db.selectFrom('jobs').select(['id', 'fence']).where('id', 'in', lost).execute()
    await eventually(again, (jobs) => jobs.every(({ fence }) => fence > 1), 90_000)
    expect(performance.now() - died).toBeLessThan(60_000)
    await eventually(() => client.hasEnded(batch), Boolean, 90_000)
    expect((await client.files(batch))[0]).toMatchObject({ status: 'completed', result: { text: 'x y z' } })
  }, 240_000)
})
