import { readdir, readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

export type ProcessLoad = {
  /** Processor time so far, of the process and its children. */
  readonly cpuSeconds: number
  /** What is alive in memory; resident memory says more about what was there before. */
  readonly usedBytes: number
  /** Of the process alone: sockets, timers, streams; and open files. */
  readonly handles: number
  readonly openFiles: number
}

/** What this process uses now; garbage is collected first where the process was started so that it can be. */
export async function measureLoad(): Promise<ProcessLoad> {
  globalThis.gc?.()
  const own = process.cpuUsage()
  const { heapUsed, external } = process.memoryUsage()
  const children = await Promise.all((await childrenOf(process.pid)).map(cpuOf))
  return {
    cpuSeconds: (own.user + own.system) / 1e6 + children.reduce((sum, each) => sum + each, 0),
    usedBytes: heapUsed + external,
    handles: process.getActiveResourcesInfo().length,
    openFiles: (await readdir('/proc/self/fd').catch(() => [])).length,
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const found = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return found.split(' ').filter(Boolean).map(Number)
}

async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in the second field may hold spaces, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}
