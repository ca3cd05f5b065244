import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const PAGE_BYTES = 4_096
const EVERY_MS = 200

/** Highest memory of this process and all its descendants together while `work` runs: engines are processes of their own. */
export async function peakMemoryDuring<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: number }> {
  const done = new AbortController()
  let peak = 0
  const watch = async () => {
    while (!done.signal.aborted) {
      peak = Math.max(peak, await familyBytes(process.pid))
      await delay(EVERY_MS, undefined, { signal: done.signal }).catch(() => undefined)
    }
  }
  const watching = watch()
  try {
    const value = await work()
    return { value, peakMb: Math.round(Math.max(peak, await familyBytes(process.pid)) / 1e6) }
  } finally {
    done.abort()
    await watching
  }
}

/** Where there is no /proc, only our own process is known. */
async function familyBytes(root: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  if (pids.length === 0) return process.memoryUsage.rss()
  const parents = new Map<number, number>()
  await Promise.all(pids.map(async (pid) => parents.set(pid, await parentOf(pid))))
  const family = pids.filter((pid) => descends(pid, root, parents))
  const sizes = await Promise.all(family.map(residentBytes))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === root) return true
  return false
}

/** The name in the second field may hold spaces and brackets, so fields are counted from its end. */
async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES
}
