import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordingOf } from '../support/instant-engine.ts'
import { type RunningService, runService } from '../support/running-service.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MOST_BYTES = 40_000
const run = promisify(execFile)

let service: RunningService
let folder: TemporaryFolder
let shop: string
let tarball: string

/** A copy of the package is built and packed, so that two runs at once do not disturb each other. */
beforeAll(async () => {
  service = await runService()
  folder = await makeTemporaryFolder()
  const copy = join(folder.path, 'copy')
  shop = join(folder.path, 'shop')
  await Promise.all([mkdir(copy), mkdir(shop)])
  for (const name of ['package.json', 'README.md'])
    await writeFile(join(copy, name), await readFile(join(ROOT, 'client', name)))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', join(ROOT, 'client'), '--outDir', join(copy, 'dist')])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder.path], { cwd: copy })
  const [packed = ''] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'))
  tarball = join(folder.path, packed)
}, 240_000)
afterAll(async () => {
  await service.close()
  await folder.remove()
})

describe('the packed client', { timeout: 120_000 }, () => {
  it('is installed in an empty folder, and the example of its README gives a transcript', async () => {
    await writeFile(join(shop, 'package.json'), '{"private":true,"type":"module"}')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: shop })
    const [, example = ''] =
      /^```ts\n([\s\S]*?)^```/m.exec(await readFile(join(ROOT, 'client/README.md'), 'utf8')) ?? []
    await writeFile(join(shop, 'example.mjs'), example)
    await writeFile(join(shop, 'call.wav'), recordingOf('hello from an empty folder'))
    const env = { PATH: process.env.PATH, LIPIK_URL: service.origin, LIPIK_TOKEN: await service.tokenOf('me') }
    const { stdout, stderr } = await run(process.execPath, ['example.mjs', 'call.wav'], { cwd: shop, env })
    expect([stdout, stderr]).toEqual(['call.wav completed hello from an empty folder\n', ''])
  })

  it('is small, needs nothing, and imports nothing that a browser does not have', async () => {
    const { size } = await stat(tarball)
    expect(size).toBeLessThan(MOST_BYTES)
    const manifest = JSON.parse(await readFile(join(shop, 'node_modules/@lipik/client/package.json'), 'utf8'))
    expect(Object.keys(manifest)).not.toContain('dependencies')
    const dist = join(shop, 'node_modules/@lipik/client/dist')
    const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'))
    const imports: string[] = []
    for (const name of files) {
      const found = (await readFile(join(dist, name), 'utf8')).matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)
      imports.push(...[...found].map(([, target = '']) => target))
    }
    expect(files.length).toBeGreaterThan(15)
    expect(imports.filter((target) => !/^\.\.?\/.*\.js$/.test(target))).toEqual([])
  })
})
