import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Below node_modules, so that packages are found from there. */
const FOLDER = join(ROOT, 'node_modules/.cache/lipik-docs')
afterAll(() => rm(FOLDER, { recursive: true, force: true }))

async function pages(): Promise<string[]> {
  const docs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  return ['README.md', 'client/README.md', ...docs]
}

/** Each block is a program of its own; its file says where it comes from. */
async function writeBlocks(): Promise<number> {
  let count = 0
  for (const page of await pages()) {
    const text = await readFile(join(ROOT, page), 'utf8')
    for (const block of text.matchAll(/^```ts\n([\s\S]*?)^```/gm)) {
      const line = text.slice(0, block.index).split('\n').length
      await writeFile(join(FOLDER, `${page.replaceAll('/', '_')}_${line}.ts`), block[1] ?? '')
      count++
    }
  }
  return count
}

it('every TypeScript block in the documentation compiles', { timeout: 120_000 }, async () => {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { '@lipik/client': [join(ROOT, 'client/src/index.ts')] },
    moduleDetection: 'force',
  }
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(settings))
  expect(await writeBlocks()).toBeGreaterThan(8)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const told = await promisify(execFile)(process.execPath, [tsc, '-p', FOLDER]).catch((error: unknown) => error)
  expect(told).toMatchObject({ stdout: '' })
})
