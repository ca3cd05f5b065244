import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { download } from './download.ts'
import { type FetchJob, placeFile, WrongContents } from './fetch-job.ts'
import { joinParts } from './join-parts.ts'
import { type HubSource, type ModelFile, namesIn } from './model-entry.ts'

/** Publisher's hub: each file (or part of one) has an address of its own under the source's. */
export async function fetchFromHub(source: HubSource, job: FetchJob): Promise<void> {
  let doneBefore = 0
  const total = job.files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of job.files) {
    const report = (done: number) => job.onBytes?.(doneBefore + done, total)
    await fetchFile(source, job, file, report)
    doneBefore += file.bytes
  }
}

async function fetchFile(source: HubSource, job: FetchJob, file: ModelFile, report: (done: number) => void) {
  try {
    await fetchParts(source, job, file, report)
  } catch (error) {
    // What lay there from an earlier attempt may have been a piece of another file: once more from the first byte.
    if (!(error instanceof WrongContents)) throw error
    await fetchParts(source, job, file, report)
  }
}

async function fetchParts(source: HubSource, job: FetchJob, file: ModelFile, report: (done: number) => void) {
  const settings = await job.settings()
  const base = source.url.endsWith('/') ? source.url : `${source.url}/`
  const parts = namesIn(source, file).map((name) => {
    const url = new URL(name, base).href
    return { url, target: join(job.workDir, `${createHash('sha256').update(url).digest('hex').slice(0, 16)}.part`) }
  })
  for (const part of parts) await download({ ...part, settings, onBytes: report, signal: job.signal })
  const whole = await joinParts(
    parts.map(({ target }) => target),
    join(job.workDir, `${file.sha256.slice(0, 16)}.whole`),
  )
  await placeFile(job, whole, file)
}
