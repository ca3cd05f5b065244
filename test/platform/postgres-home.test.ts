import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clusterOf, postmasterOf, query, start } from '../support/embedded-postgres.ts'
import { endChild, runDatabaseChild } from '../support/run-database-child.ts'

const asRoot = process.getuid?.() === 0
const NOBODY = { uid: 65_534, gid: 65_534 }
const UNLISTED = { uid: 59_999, gid: 59_999 }

/** Another user can run the test's child only where the checkout and Node itself are open to them. */
const others =
  asRoot && (await Promise.all([process.execPath, fileURLToPath(import.meta.url)].map(isOpen))).every(Boolean)

async function isOpen(path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder))
    if (((await stat(folder)).mode & 0o005) !== 0o005) return false
  return true
}

// Some of these start processes of their own, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 90_000 })

describe('where embedded PostgreSQL lives', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lipik-home-'))
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  describe.runIf(asRoot)('for root under a folder of mode 700', () => {
    it('is a system folder, which the data folder points to and which is found again', async () => {
      const dataDir = join(folder, 'closed', 'data')
      const systemFolder = join(folder, 'system')
      await mkdir(dirname(dataDir), { mode: 0o700 })
      const first = await start(dataDir, { systemFolder })
      const place = dirname(clusterOf(first.url))
      expect(dirname(place)).toBe(systemFolder)
      expect(await readFile(join(dataDir, 'postgres-location'), 'utf8')).toBe(`${place}\n`)
      expect((await stat(`/proc/${await postmasterOf(first.url)}`)).uid).toBe((await stat(clusterOf(first.url))).uid)
      await query(first.url, 'create table kept ()')
      await first.stop()

      const second = await start(dataDir, { systemFolder })
      expect(await query(second.url, "select to_regclass('kept') as name")).toEqual([{ name: 'kept' }])
      await second.stop()

      await rm(systemFolder, { recursive: true })
      await expect(start(dataDir, { systemFolder })).rejects.toThrow(`lives in ${place}`)
    })

    it('is refused when a folder above was closed later, naming it', async () => {
      const dataDir = join(folder, 'closed', 'data')
      await mkdir(join(dataDir, 'postgres', 'cluster'), { recursive: true })
      await chmod(dirname(dataDir), 0o700)
      await expect(start(dataDir)).rejects.toThrow(`chmod o+x ${dirname(dataDir)}`)
    })
  })

  it('has a socket even where the path is longer than a socket may have', async () => {
    const server = await start(join(folder, 'a'.repeat(100), 'data'))
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    const socketFolder = new URL(server.url).searchParams.get('host') ?? ''
    await server.stop()
    expect(socketFolder.startsWith('/tmp/lipik-')).toBe(true)
    await expect(stat(socketFolder)).rejects.toThrow('ENOENT')
  })

  describe.runIf(others)('for an ordinary user', () => {
    it('is the data folder, with nothing outside', async () => {
      await chmod(folder, 0o777)
      const dataDir = join(folder, 'data')
      const { child, said } = await runDatabaseChild(['serve', dataDir, join(folder, 'system')], NOBODY)
      expect(said).toBe('done')
      expect((await stat(join(dataDir, 'postgres', 'cluster'))).uid).toBe(NOBODY.uid)
      await expect(stat(join(folder, 'system'))).rejects.toThrow('ENOENT')
      await endChild(child, 'SIGTERM')
      expect(child.exitCode).toBe(0)

      const asTheOwner = await start(dataDir)
      expect(await query(asTheOwner.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await asTheOwner.stop()
    })

    it('says that a folder cannot be written', async () => {
      const { said } = await runDatabaseChild(['serve', join(folder, 'data'), folder], NOBODY)
      expect(said).toContain(`${join(folder, 'data')} cannot be written`)
    })

    it('says that a database belongs to somebody else', async () => {
      await mkdir(join(folder, 'postgres', 'cluster'), { recursive: true })
      const { said } = await runDatabaseChild(['serve', folder, folder], NOBODY)
      expect(said).toContain(`belongs to user 0, and this is user ${NOBODY.uid}`)
    })

    it('says what to do where the machine does not know the user', async () => {
      await chmod(folder, 0o777)
      const { said } = await runDatabaseChild(['serve', join(folder, 'data'), folder], UNLISTED)
      expect(said).toContain('needs the user to be listed in /etc/passwd')
    })
  })

  it.runIf(asRoot)('says that a disk is full, and leaves nothing on it', async (test) => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=755', 'none', disk]).status !== 0) test.skip()
    try {
      await expect(start(disk)).rejects.toThrow(`the disk of ${join(disk, 'postgres')} is full`)
    } finally {
      spawnSync('umount', [disk])
    }
  })
})
