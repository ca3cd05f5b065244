import { spawn } from 'node:child_process'
import { LipikError } from '../../errors.ts'
import type { Account } from './postgres-home.ts'

type RunOptions = { readonly cwd: string; readonly account: Account | undefined }

/** Runs to the end and gives back what was said on standard error; of a long text the end. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, account }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...account,
      env: PROGRAM_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000)
    })
    child.on('error', (error) => reject(explainSpawn(program, error)))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** PostgreSQL reads PG* and locale variables; those of the operator's shell are not meant for this server. */
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function explainSpawn(program: string, error: Error): LipikError {
  const hint =
    'code' in error && error.code === 'EACCES'
      ? ' (is the disk mounted "noexec"?)'
      : 'code' in error && error.code === 'ENOENT'
        ? ' (it is made for systems with glibc)'
        : ''
  return new LipikError('unavailable', `${program} does not run: ${error.message}${hint}`, { cause: error })
}
