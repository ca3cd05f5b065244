import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EmbeddedPostgres, findRunningPostgres } from '../../src/platform/database/embedded/embedded-postgres.ts'
import { clusterOf, isAlive, postmasterOf, query, start, until } from '../support/embedded-postgres.ts'
import { endChild, runDatabaseChild } from '../support/run-database-child.ts'

const asRoot = process.getuid?.() === 0

// Some of these start processes of their own, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 90_000 })

describe('embedded PostgreSQL', () => {
  let dataDir: string
  let cluster: string
  let running: EmbeddedPostgres | undefined
  const open = async (options: Parameters<typeof start>[1] = {}) => {
    running = await start(dataDir, options)
    return running.url
  }
  const close = async () => {
    await running?.stop()
    running = undefined
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lipik-pg-'))
    await chmod(dataDir, 0o755)
    const url = await open()
    cluster = clusterOf(url)
    await query(url, 'create table said (id int primary key)')
    await close()
  })
  afterEach(close)
  afterAll(() => rm(dataDir, { recursive: true }))

  it('runs as nobody in particular when the service is root, and keeps others out', async () => {
    const url = await open()
    const server = await stat(`/proc/${await postmasterOf(url)}`).catch(() => undefined)
    expect(server?.uid ?? 1).not.toBe(0)
    expect((await stat(cluster)).mode & 0o077).toBe(0)
    expect((await stat(new URL(url).searchParams.get('host') ?? '')).mode & 0o077).toBe(0)
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  })

  it('is durable and small unless told otherwise', async () => {
    const url = await open({ durable: true })
    const settings = await query<{ name: string; setting: string }>(
      url,
      "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'shared_buffers')",
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      shared_buffers: '16384',
    })
  })

  it('stops fast with clients connected, and keeps what was said', async () => {
    const url = await open()
    await query(url, 'insert into said values (-1)')
    const sleeper = query(url, 'select pg_sleep(60)')
    const before = performance.now()
    await Promise.all([close(), expect(sleeper).rejects.toThrow()])
    expect(performance.now() - before).toBeLessThan(3_000)
    await expect(stat(join(dataDir, 'postgres', 'run'))).rejects.toThrow('ENOENT')
    expect(await query(await open(), 'select id from said where id = -1')).toEqual([{ id: -1 }])
  })

  it('refuses a second service on the folder and says who has it', async () => {
    const url = await open()
    await expect(start(dataDir)).rejects.toThrow(/already running on .*\(process \d+\)/)
    const { said } = await runDatabaseChild(['serve', dataDir, `${dataDir}-system`])
    expect(said).toContain(`(process ${process.pid})`)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('can be found by a command while it runs, and only then', async () => {
    const url = await open()
    expect(await findRunningPostgres(dataDir)).toBe(url)
    await close()
    expect(await findRunningPostgres(dataDir)).toBeUndefined()
  })

  it('comes back after its server was killed under load, without losing an acknowledged write', async () => {
    let restarts = 0
    const url = await open({ durable: true, onRestart: () => restarts++ })
    await query(url, 'truncate said')
    const acknowledged: number[] = []
    let writing = true
    const writer = (async () => {
      for (let id = 0; writing; id++) {
        await query(url, `insert into said values (${id})`).then(
          () => acknowledged.push(id),
          () => undefined,
        )
      }
    })()
    await until(() => acknowledged.length > 20)
    process.kill(await postmasterOf(url), 'SIGKILL')
    const atDeath = acknowledged.length
    await until(() => restarts === 1 && acknowledged.length > atDeath + 20)
    writing = false
    await writer
    const kept = await query<{ id: number }>(url, 'select id from said order by id')
    expect(acknowledged.filter((id) => !kept.some((row) => row.id === id))).toEqual([])
  })

  it('takes over from a service that was killed', async () => {
    const { child, said } = await runDatabaseChild(['serve', dataDir, `${dataDir}-system`])
    expect(said).toBe('done')
    const url = (await findRunningPostgres(dataDir)) ?? ''
    const orphan = await postmasterOf(url)
    await query(url, 'truncate said; insert into said values (7)')
    await endChild(child, 'SIGKILL')
    expect(await isAlive(orphan)).toBe(true)
    expect(await query(await open(), 'select id from said')).toEqual([{ id: 7 }])
    expect(await isAlive(orphan)).toBe(false)
  })

  it('starts beside a stranger in its folder who has the number of the server that crashed', async () => {
    const owner = await stat(cluster)
    const stranger = spawn('sleep', ['60'], { cwd: cluster, uid: owner.uid, gid: owner.gid, stdio: 'ignore' })
    const lines = [stranger.pid, cluster, 1, 5432, join(dataDir, 'postgres', 'run'), '', '  1  1', 'ready']
    await writeFile(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`)
    await chown(join(cluster, 'postmaster.pid'), owner.uid, owner.gid)
    expect(await query(await open(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await isAlive(stranger.pid ?? 0)).toBe(true)
    await endChild(stranger, 'SIGKILL')
  })

  it('throws away what a start that was killed had half made', async () => {
    const fresh = join(dataDir, 'fresh')
    await mkdir(join(fresh, 'postgres', 'cluster.0.unfinished'), { recursive: true })
    const server = await start(fresh)
    await server.stop()
    expect((await readdir(join(fresh, 'postgres'))).filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
  })

  it('names data of another major version and leaves it alone', async () => {
    const version = join(cluster, 'PG_VERSION')
    const right = await readFile(version, 'utf8')
    await writeFile(version, '17\n')
    await expect(start(dataDir)).rejects.toThrow(/holds data of PostgreSQL 17, and this Lipik brings PostgreSQL \d+/)
    expect(await readFile(version, 'utf8')).toBe('17\n')
    await writeFile(version, right)
    expect(await query(await open(), 'select id from said')).toEqual([{ id: 7 }])
  })

  it('gives up when the data is broken, with PostgreSQL’s own words', async () => {
    let gaveUp: unknown
    const url = await open({
      onGiveUp: (cause) => {
        gaveUp = cause
      },
    })
    await rm(join(cluster, 'global', 'pg_control'))
    process.kill(await postmasterOf(url), 'SIGKILL')
    await until(() => gaveUp !== undefined)
    expect(String(gaveUp)).toContain('pg_control')
  })

  it.runIf(asRoot)('put nothing outside the data folder', async () => {
    await expect(stat(`${dataDir}-system`)).rejects.toThrow('ENOENT')
  })
})
