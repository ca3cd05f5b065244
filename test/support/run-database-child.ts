import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type Account = { readonly uid: number; readonly gid: number }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SCRIPT = fileURLToPath(new URL('./database-child.ts', import.meta.url))

/** Starts the script beside this file and waits for its one line: 'done', or what went wrong. */
export async function runDatabaseChild(
  args: readonly string[],
  account?: Account,
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...args], {
    cwd: ROOT,
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, said: String(said) }
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
