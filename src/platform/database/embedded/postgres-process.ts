import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { LipikError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { DATABASE_USER } from './create-cluster.ts'
import { diskFull } from './explain-disk-fault.ts'
import type { PostgresHome } from './postgres-home.ts'
import { explainSpawn, PROGRAM_ENVIRONMENT } from './run-program.ts'

export type PostgresProcess = {
  readonly pid: number
  /** Settles when the server has ended, by our doing or not; says its last words. */
  readonly ended: Promise<string>
  /** Disconnects clients, writes everything out and ends; after `patienceMs` without that, and recovery at the next start. */
  stop(patienceMs: number): Promise<void>
}

export type StartOptions = {
  readonly program: string
  readonly home: PostgresHome
  readonly socketFolder: string
  readonly durable: boolean
  readonly log: Logger
}

/** Crash recovery after a long log takes minutes on a slow disk; more than this is a fault. */
const START_PATIENCE_MS = 300_000

/** Resolves when the server answers queries. */
export async function startPostgresProcess(options: StartOptions): Promise<PostgresProcess> {
  const { home, program, socketFolder, durable, log } = options
  const args = ['-D', home.cluster, '-k', socketFolder, ...settings(durable)]
  const child = spawn(program, args, {
    cwd: home.folder,
    ...home.account,
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: the terminal's Ctrl-C is for the service, which stops PostgreSQL when it needs it no more.
    detached: true,
  })
  const lastWords = followLog(child, log)
  await once(child, 'spawn').catch((error) => Promise.reject(explainSpawn(program, error)))
  const ended = once(child, 'exit').then(() => lastWords())
  const server = { pid: child.pid ?? 0, ended, stop: (patienceMs: number) => stopProcess(child, patienceMs) }
  const died = ended.then((words) => Promise.reject(explainStart(home.folder, words)))
  await Promise.race([untilAnswering(socketFolder, child), died])
  died.catch(() => undefined) // from here on its end is the supervisor's business
  return server
}

const settings = (durable: boolean): string[] =>
  Object.entries({
    listen_addresses: '',
    unix_socket_permissions: '0700',
    port: '5432',
    // Files, not /dev/shm: containers have little of it, and systemd empties a user's when they log out.
    dynamic_shared_memory_type: 'mmap',
    max_parallel_workers_per_gather: '0',
    // The queue's table turns over in minutes; the server's own rhythm is one look a minute.
    autovacuum_naptime: '10s',
    // A service that died must not leave its long queries running.
    client_connection_check_interval: '10s',
    // Error texts and their details quote data, and data is what people said: only the server's own fate is logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

function followLog(child: ChildProcess, log: Logger): () => string {
  const last: string[] = []
  if (!child.stderr) return () => ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line)
    if (last.length > 20) last.shift()
    log.debug({ line }, 'postgres')
  })
  return () => last.join('\n')
}

async function untilAnswering(socketFolder: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_PATIENCE_MS
  while (child.exitCode === null && child.signalCode === null) {
    if (await answersQueries(socketFolder)) return
    if (performance.now() > deadline) {
      child.kill('SIGQUIT')
      throw new LipikError('unavailable', `PostgreSQL did not come up within ${START_PATIENCE_MS / 1000} s`)
    }
    await delay(20)
  }
  throw new LipikError('unavailable', 'PostgreSQL ended while starting')
}

async function answersQueries(socketFolder: string): Promise<boolean> {
  const client = new Client({ host: socketFolder, port: 5432, user: DATABASE_USER, database: 'postgres' })
  client.on('error', () => undefined) // the server went away between connecting and asking: asked again
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function stopProcess(child: ChildProcess, patienceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    child.kill(signal)
    const timer = new AbortController()
    const tooLate = delay(patienceMs, 'late', { signal: timer.signal }).catch(() => 'late')
    const first = await Promise.race([exited, tooLate])
    timer.abort()
    if (first !== 'late') return
  }
}

function explainStart(folder: string, lastWords: string): LipikError {
  if (lastWords.includes('No space left on device')) return diskFull(folder, lastWords)
  return new LipikError('unavailable', `PostgreSQL ended while starting on ${folder}: ${lastWords}`)
}
