import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockFolder } from '../../src/platform/folder-lock.ts'
import { endChild, runDatabaseChild } from '../support/run-database-child.ts'

// Some of these start processes of their own, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 90_000 })

describe('the lock on a folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lipik-lock-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('lets one in and tells the other who is there', async () => {
    const lock = await lockFolder(folder)
    const refusal = `Lipik is already running on ${folder} (process ${process.pid})`
    await expect(lockFolder(folder)).rejects.toThrow(refusal)
    await lock.release()
    const again = await lockFolder(folder)
    await again.release()
    expect(await readdir(folder)).toEqual([])
  })

  it('stays with a holder that is frozen, and goes with one that is killed', async () => {
    const { child, said } = await runDatabaseChild(['lock', folder])
    expect(said).toBe('done')
    await expect(lockFolder(folder)).rejects.toThrow(`(process ${child.pid})`)
    child.kill('SIGSTOP')
    await expect(lockFolder(folder)).rejects.toThrow('it does not answer')
    await endChild(child, 'SIGKILL')
    const lock = await lockFolder(folder)
    await lock.release()
  })

  it('lets exactly one in when many come at once, again and again', async () => {
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
      const won = results.filter((result) => result.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await Promise.all(won.map((result) => result.value.release()))
    }
  })

  it('holds in a folder whose path is longer than a socket may have', async () => {
    const deep = join(folder, 'a'.repeat(120), 'b'.repeat(120))
    await mkdir(deep, { recursive: true })
    const lock = await lockFolder(deep)
    await expect(lockFolder(deep)).rejects.toThrow('already running')
    await lock.release()
  })
})
