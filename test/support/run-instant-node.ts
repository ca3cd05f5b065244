import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('./instant-node.ts', import.meta.url))

export type NodeRole = 'server' | 'file' | 'chunk'
export type Ready = { readonly origin: string; readonly token: string; readonly databaseUrl: string }

export type InstantNode = {
  readonly role: NodeRole
  readonly child: ChildProcess
  /** What it said when it could be used; rejects when it ended before. */
  readonly ready: Promise<Ready>
  readonly ended: Promise<unknown>
  kill(signal: NodeJS.Signals): Promise<void>
}

export function runInstantNode(role: NodeRole, env: Readonly<Record<string, string>>): InstantNode {
  const child = spawn(process.execPath, ['--import', 'tsx', ENTRY, role], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    void ended.then(([code, signal]) => reject(new Error(`the ${role} ended (${code ?? signal}) before it was ready`)))
  })
  ready.catch(() => {})
  return {
    role,
    child,
    ready,
    ended,
    async kill(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}
