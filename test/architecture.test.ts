import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))
/** The client is a package of its own: it knows nobody here, and only the command line knows it. */
const CLIENT = fileURLToPath(new URL('../client/src', import.meta.url))

/** Which rooms a room may import. `platform/errors` or another file may stand for a part of a room; `main` may import everything. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  http: ['batches', 'files', 'transcription', 'audio', 'speech', 'platform'],
  realtime: ['batches', 'files', 'transcription', 'audio', 'speech', 'platform'],
  worker: ['batches', 'files', 'transcription', 'audio', 'speech', 'platform'],
  batches: ['files', 'transcription', 'speech', 'platform'],
  files: ['audio', 'platform'],
  transcription: ['audio', 'speech', 'platform/errors'],
  audio: ['speech', 'platform/errors', 'platform/child-entry'],
  engines: ['speech', 'models', 'platform/errors', 'platform/child-entry', 'audio/features'],
  models: ['platform/errors', 'platform/child-entry'],
  speech: [],
  platform: [],
}

type Import = { readonly from: string; readonly to: string }

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)
  return [...found].map(([, target = '']) => ({ from: file, to: relative(SRC, join(SRC, dirname(file), target)) }))
}

const imports = sources.flatMap(importsOf)
const room = (file: string) => file.split('/')[0] ?? ''

function isAllowed({ from, to }: Import): boolean {
  const [here, there] = [room(from), room(to)]
  if (here === 'main') return true
  if (here === 'engines' && there === 'engines') return mayMeetInside(from, to)
  if (here === there) return true
  // Out of src: `../client/src/...` is for main alone.
  return (MAY_IMPORT[here] ?? []).some(
    (allowed) => to === allowed || to.startsWith(`${allowed}/`) || to === `${allowed}.ts`,
  )
}

/** engines/x never engines/y; all of them use the common host. */
function mayMeetInside(from: string, to: string): boolean {
  const engine = (file: string) => (file.split('/').length > 2 ? file.split('/')[1] : 'host')
  return engine(from) === engine(to) || engine(to) === 'host'
}

describe('the house', () => {
  it('has sources to look at', () => expect(imports.length).toBeGreaterThan(0))

  it('imports only downwards, as the table says', () => {
    const broken = imports.filter((each) => !isAllowed(each)).map(({ from, to }) => `${from} imports ${to}`)
    expect(broken).toEqual([])
  })

  it('has only the rooms of the table', () => {
    const rooms = new Set(sources.map(room))
    rooms.delete('main')
    expect([...rooms].filter((name) => !(name in MAY_IMPORT))).toEqual([])
  })

  it('keeps the client free of everything but itself', () => {
    const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const outside = files.flatMap((file) => {
      const found = readFileSync(join(CLIENT, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)
      return [...found]
        .filter(
          ([, target = '']) =>
            relative(CLIENT, join(CLIENT, dirname(file), target)).startsWith('..') || !target.startsWith('.'),
        )
        .map(([, target]) => `${file} imports ${target}`)
    })
    expect(files.length).toBeGreaterThan(10)
    expect(outside).toEqual([])
  })

  it('finds its own files in one place, which knows where compiled code lies', () => {
    const astray = sources.filter((file) => /new URL\(['`]\.\.\/\.\./.test(readFileSync(join(SRC, file), 'utf8')))
    expect(astray).toEqual([])
  })

  it('has no circle of files', () => {
    const next = groupByFile(imports)
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      if (done.has(file) || path.includes(file)) return
      for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    expect(circles).toEqual([])
  })
})

function groupByFile(all: readonly Import[]): Map<string, Import[]> {
  const grouped = new Map<string, Import[]>()
  for (const each of all) grouped.set(each.from, [...(grouped.get(each.from) ?? []), each])
  return grouped
}
