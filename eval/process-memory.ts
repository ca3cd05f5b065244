import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const PAGE_BYTES = 4_096
const EVERY_MS = 200
/** Looking for new processes reads about every process there is: done each time, it took a sixth of a core. */
const LOOKS_AT_ONE_FAMILY = 10

/** Of this process and all its descendants, in MB: engines are processes of their own. */
export type PeakMemory = { readonly together: number; readonly largest: number }

/** The highest memory while `work` runs. */
export async function peakMemoryDuring<T>(work: () => Promise<T>): Promise<{ value: T; peakMb: PeakMemory }> {
  const done = new AbortController()
  let [together, largest, looks] = [0, 0, 0]
  let family: readonly number[] = []
  const look = async () => {
    if (looks++ % LOOKS_AT_ONE_FAMILY === 0) family = await familyOf(process.pid)
    const sizes = await bytesOf(family)
    together = Math.max(together, sum(sizes))
    largest = Math.max(largest, ...sizes)
  }
  const watch = async () => {
    while (!done.signal.aborted) {
      await look()
      await delay(EVERY_MS, undefined, { signal: done.signal }).catch(() => undefined)
    }
  }
  const watching = watch()
  try {
    const value = await work()
    await look()
    return { value, peakMb: { together: megabytes(together), largest: megabytes(largest) } }
  } finally {
    done.abort()
    await watching
  }
}

/** Where there is no /proc, only our own process is known. */
async function bytesOf(family: readonly number[]): Promise<number[]> {
  return family.length === 0 ? [process.memoryUsage.rss()] : Promise.all(family.map(residentBytes))
}

const TICKS_A_SECOND = 100

/** Processor time this process and those of its descendants that still live have used. */
export async function familyCpuSeconds(): Promise<number> {
  const ticks = await Promise.all((await familyOf(process.pid)).map(usedTicks))
  if (ticks.length > 0) return sum(ticks) / TICKS_A_SECOND
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function familyOf(root: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map<number, number>()
  await Promise.all(pids.map(async (pid) => parents.set(pid, await parentOf(pid))))
  return pids.filter((pid) => descends(pid, root, parents))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === root) return true
  return false
}

/** The name in the second field may hold spaces and brackets, so fields are counted from its end. */
async function statOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

const parentOf = async (pid: number): Promise<number> => (await statOf(pid))[1] ?? 0

async function usedTicks(pid: number): Promise<number> {
  const [user = 0, system = 0] = (await statOf(pid)).slice(11, 13)
  return user + system
}

async function residentBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES
}
