import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/lipik-bench')

/** Compiles a script of the repository as production does: a loader that compiles on the way has memory of its own. */
export async function compile(script: string): Promise<string> {
  const settings = join(CACHE, 'tsconfig.json')
  await mkdir(CACHE, { recursive: true })
  await writeFile(join(CACHE, 'package.json'), '{"type":"module"}')
  await writeFile(
    settings,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { noEmit: false, rootDir: ROOT, outDir: CACHE, typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: [],
      files: [join(ROOT, script)],
    }),
  )
  await promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', settings])
  return join(CACHE, script.replace(/\.ts$/, '.js'))
}
