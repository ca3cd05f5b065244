import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFault } from './check-file.ts'
import { type ByteReport, discard } from './download.ts'
import type { ModelFile } from './model-entry.ts'
import type { NpmSettings } from './npm-settings.ts'

/** What every kind of source is asked: bring these files of this model, each whole and verified, or throw. */
export type FetchJob = {
  readonly files: readonly ModelFile[]
  /** The model's folder, where verified files land. */
  readonly modelDir: string
  /** For what is on its way; outlives a crash, so that the next attempt goes on from there. */
  readonly workDir: string
  readonly settings: () => Promise<NpmSettings>
  readonly onBytes?: ByteReport
  readonly signal?: AbortSignal | undefined
}

/** Moves a finished file to its place, if it is the catalogued one; a wrong one is deleted and never seen under its name. */
export async function placeFile(job: FetchJob, arrived: string, file: ModelFile): Promise<void> {
  const fault = await findFault(arrived, file, job.signal)
  if (fault) {
    await discard(arrived)
    throw new WrongContents(`${file.path} ${fault}`)
  }
  const target = join(job.modelDir, file.path)
  await mkdir(dirname(target), { recursive: true })
  await rename(arrived, target)
}

export class WrongContents extends Error {}
