import { constants, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FetchJob, placeFile } from './fetch-job.ts'
import { joinParts } from './join-parts.ts'
import { type FolderSource, namesIn } from './model-entry.ts'

/** Files somebody brought by hand. Copied (shared blocks where the disk can), so that a change there cannot reach a verified file. */
export async function fetchFromFolder(source: FolderSource, job: FetchJob): Promise<void> {
  await mkdir(job.workDir, { recursive: true })
  for (const file of job.files) {
    const copies: string[] = []
    for (const [index, name] of namesIn(source, file).entries()) {
      job.signal?.throwIfAborted()
      const copy = join(job.workDir, `${file.sha256.slice(0, 16)}.${index}.copy`)
      await copyFile(join(source.folder, name), copy, constants.COPYFILE_FICLONE)
      copies.push(copy)
    }
    await placeFile(job, await joinParts(copies, join(job.workDir, `${file.sha256.slice(0, 16)}.whole`)), file)
  }
}
