import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'
import { modelsDir } from './models.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A start compiles and loads everything, on a machine that has other things to do. */
const START_PATIENCE_MS = 60_000

export type Lipik = {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the exit code once the process and its output have ended. */
  readonly ended: Promise<number | null>
  /** Resolves with the first match in what was printed; rejects when the process ends before. */
  seen(pattern: RegExp): Promise<RegExpExecArray>
}

/** A real process of the command line, from source; its settings are those given, and nothing of this machine's. */
export function runLipik(
  args: readonly string[],
  env: Record<string, string> = {},
  entry = 'src/main/cli.ts',
  input?: Uint8Array,
): Lipik {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, MODELS_DIR: modelsDir, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  const text = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const seen = async (pattern: RegExp) => {
    const look = async () => {
      const found = pattern.exec(text.stdout) ?? pattern.exec(text.stderr)
      if (found === null && child.exitCode !== null) throw new Error(`ended before ${pattern}: ${text.stderr}`)
      return found
    }
    const found = await eventually(look, (match) => match !== null, START_PATIENCE_MS)
    if (found === null) throw new Error(`not seen: ${pattern}`)
    return found
  }
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended, seen }
}
