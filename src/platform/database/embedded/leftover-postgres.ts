import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LipikError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { postmasterFile, readPostmaster } from './postmaster-file.ts'
import { runProgram } from './run-program.ts'

/**
 * Clears the way for a new server: the caller holds the lock, so whatever still serves this data has lost its service.
 * First asked to stop fast (clients are disconnected, data is written out), then at once, then killed: a server that was
 * killed recovers from its log at the next start.
 */
export async function stopLeftoverPostgres(cluster: string, log: Logger, patienceMs = 8_000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const pids = await processesIn(cluster)
    if (pids.length === 0) break
    log.warn({ pids, signal }, 'stopping the PostgreSQL a former service left running')
    await signalLeftover(cluster, pids, signal)
    await allGone(cluster, patienceMs)
  }
  const stubborn = await processesIn(cluster)
  if (stubborn.length > 0)
    throw new LipikError(
      'conflict',
      `PostgreSQL still runs on ${cluster} (process ${stubborn.join(', ')}): end it first`,
    )
  await removeStaleFile(cluster)
}

/** The postmaster passes a request on to its children; where it is gone they leave by themselves, or are made to. */
async function signalLeftover(cluster: string, pids: readonly number[], signal: NodeJS.Signals): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  const led = postmaster !== undefined && pids.includes(postmaster.pid)
  if (!led && signal === 'SIGINT') return
  for (const pid of led && signal !== 'SIGKILL' ? [postmaster.pid] : pids) trySignal(pid, signal)
}

async function allGone(cluster: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  while ((await processesIn(cluster)).length > 0 && performance.now() < deadline) await delay(25)
}

/**
 * After a crash the number in the pid file may by now belong to a stranger, and PostgreSQL would refuse to start beside
 * it. It goes only when no process of ours is left and nobody answers on its socket.
 */
async function removeStaleFile(cluster: string): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster) return
  if (postmaster.socketFolder !== '' && (await answers(join(postmaster.socketFolder, '.s.PGSQL.5432'))))
    throw new LipikError('conflict', `another machine or container runs PostgreSQL on ${cluster}: stop it first`)
  await rm(postmasterFile(cluster), { force: true })
}

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Every PostgreSQL process works inside its data folder: so it is told from a stranger with its number, or a shell in its folder. */
async function processesIn(cluster: string): Promise<number[]> {
  const folder = await realpath(cluster).catch(() => undefined)
  if (folder === undefined) return []
  if (process.platform !== 'linux') return postmasterByCommand(cluster)
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const serving = await Promise.all(pids.map((pid) => worksIn(folder, pid).catch(() => false)))
  return pids.filter((_, index) => serving[index])
}

async function worksIn(folder: string, pid: number): Promise<boolean> {
  if ((await readlink(`/proc/${pid}/cwd`)) !== folder) return false
  return (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === 'postgres'
}

async function postmasterByCommand(cluster: string): Promise<number[]> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster) return []
  const grep = ['-c', `ps -p ${postmaster.pid} -o command= | grep -q -F -- "$1"`, 'sh', cluster]
  const { code } = await runProgram('/bin/sh', grep, { cwd: '/', account: undefined })
  return code === 0 ? [postmaster.pid] : []
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it ended meanwhile, which is what was wanted
  }
}
