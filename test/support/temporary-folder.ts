import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type TemporaryFolder = {
  readonly path: string
  writeInside(path: string, content: string): Promise<void>
  removeInside(...path: string[]): Promise<void>
  remove(): Promise<void>
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'lipik-'))
  return {
    path,
    async writeInside(inside, content) {
      await mkdir(dirname(join(path, inside)), { recursive: true })
      await writeFile(join(path, inside), content)
    },
    removeInside: (...inside) => rm(join(path, ...inside)),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
