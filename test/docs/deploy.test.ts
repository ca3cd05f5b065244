import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SETTING_GROUPS } from '../../src/main/config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name)

/** Other programs' own. */
const FOREIGN = /^(?:POSTGRES|MINIO)_/

describe('what is deployed', () => {
  it('is told nothing but settings that there are', async () => {
    const known = new Set(Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group)))
    const [image, compose, unit, worker] = await Promise.all(
      ['Dockerfile', 'compose.yaml', 'lipik.service', 'lipik-worker@.service'].map((name) => read(`deploy/${name}`)),
    )
    const assigned = [image, unit, worker].flatMap((text = '') =>
      found(text, /^(?:ENV |Environment=)(.*)$/gm).flatMap((line) => found(line, /\b([A-Z_]+)=/g)),
    )
    const composed = found(compose ?? '', /\b([A-Z][A-Z0-9_]+): /g).filter((name) => !FOREIGN.test(name))
    expect(new Set([...assigned, ...composed]).size).toBeGreaterThan(8)
    expect([...assigned, ...composed].filter((name) => !known.has(name))).toEqual([])
  })

  it('holds, in the image, every file that the program looks for', async () => {
    const sources = (await readdir(join(ROOT, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'))
    const texts = await Promise.all(sources.map((name) => read(join('src', name))))
    const wanted = texts.flatMap((text) => found(text, /packageFile\('([^'/]+)/g))
    const copied = found(await read('deploy/Dockerfile'), /^COPY --from=build (.*) \S+$/gm)
      .flatMap((line) => line.split(' '))
      .map((path) => path.replace('/app/', ''))
    expect(wanted.length).toBeGreaterThan(3)
    expect(wanted.filter((name) => !copied.includes(name))).toEqual([])
  })
})
