import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type OutputFile } from 'esbuild'
import { MICROPHONE_WORKLET } from '../client/src/realtime/microphone-worklet.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const SMALLEST_TO_PACK = 500

/** Bundles the console into `folder`: `index.html` to be filled in by the service, `assets/` with hashed names, packed ones beside. */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  const worklet = await writeHashed(folder, 'microphone.js', Buffer.from(MICROPHONE_WORKLET))
  const icon = await writeHashed(folder, 'icon.svg', await readFile(join(here, 'icon.svg')))
  const { outputFiles } = await build({
    entryPoints: { main: join(here, 'main.tsx') },
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { MICROPHONE_WORKLET_URL: JSON.stringify(worklet) },
    legalComments: 'eof',
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) await writePacked(path, contents)
  const html = (await readFile(join(here, 'index.html'), 'utf8'))
    .replace('{{icon}}', icon)
    .replace('{{style}}', addressOf(outputFiles, /main-\w+\.css$/))
    .replace('{{script}}', addressOf(outputFiles, /main-\w+\.js$/))
  await writeFile(join(folder, 'index.html'), html)
}

async function writeHashed(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const address = `assets/${name.replace('.', `-${hash}.`)}`
  await writePacked(join(folder, address), bytes)
  return address
}

async function writePacked(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes)
  if (bytes.length < SMALLEST_TO_PACK) return
  await writeFile(`${path}.br`, brotliCompressSync(bytes))
  await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

function addressOf(files: readonly OutputFile[], pattern: RegExp): string {
  const found = files.find(({ path }) => pattern.test(path))
  if (!found) throw new Error(`the console's bundle has no ${pattern}`)
  return `assets/${basename(found.path)}`
}

const [, script, folder] = process.argv
if (script === fileURLToPath(import.meta.url) && folder !== undefined) await buildConsole(folder)
