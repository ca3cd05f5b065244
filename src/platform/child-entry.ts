import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Where a child process starts, and what Node needs to run it: sources need a loader, the compiled form needs nothing. */
export type ChildEntry = { readonly path: string; readonly execArgv: readonly string[] }

/** `name` is the file beside the caller, without its extension: `childEntry(import.meta.url, './silero-child')`. */
export function childEntry(callerUrl: string, name: string): ChildEntry {
  const fromSource = callerUrl.endsWith('.ts')
  const path = fileURLToPath(new URL(`${name}${fromSource ? '.ts' : '.js'}`, callerUrl))
  if (!fromSource) return { path, execArgv: [] }
  // The full path, because `--import tsx` alone is looked up from the working folder, which may be anywhere.
  return { path, execArgv: ['--import', createRequire(callerUrl).resolve('tsx')] }
}
