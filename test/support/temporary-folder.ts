import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type TemporaryFolder = {
  readonly path: string
  writeInside(path: string, content: string): Promise<void>
  removeInside(...path: string[]): Promise<void>
  /** Names of all files below, at any depth. */
  filesUnder(inside: string): Promise<string[]>
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
    filesUnder: (inside) => filesUnder(join(path, inside)),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

async function filesUnder(path: string): Promise<string[]> {
  try {
    const found = await readdir(path, { recursive: true, withFileTypes: true })
    return found.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    // A folder went while it was looked into: look again.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return filesUnder(path)
    throw error
  }
}
