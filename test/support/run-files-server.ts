import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('./files-server.ts', import.meta.url))

export type FilesServer = {
  readonly url: string
  readonly pid: number
  /** As a power cut would: no handler runs. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function runFilesServer(databaseUrl: string, folder: string): Promise<FilesServer> {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', SCRIPT, databaseUrl, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = await firstLine(child)
  const exited = once(child, 'exit')
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.stdin?.end()
      await exited
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const early = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)))
  let text = ''
  const read = (async () => {
    for await (const chunk of child.stdout ?? []) {
      text += chunk
      if (text.includes('\n')) return text.trim()
    }
    return early
  })()
  return Promise.race([read, early])
}
