import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export type PortPrinter = {
  readonly port: number
  readonly pid: number
  /** As a power cut would: no handler runs. */
  kill(): Promise<void>
  /** Ends its standard input, which it takes for the end. */
  stop(): Promise<void>
}

/** Runs a script of ours as a process of its own and waits for the port it prints. */
export async function runPrintingPort(script: string, args: readonly string[]): Promise<PortPrinter> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : []
  const child = spawn(process.execPath, [...loader, script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const port = await Promise.race([
    firstLine(child),
    exited.then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`))),
  ])
  return {
    port: Number(port),
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text.trim()
}
