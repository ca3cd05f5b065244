import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { glob } from 'tinyglobby'
import type { Recording } from './recording.ts'

/** Endings looked for in folders; a file named by itself may have any. */
const ENDINGS =
  'wav,mp3,m4a,aac,ogg,oga,opus,flac,webm,amr,3gp,mp4,mkv,mka,mov,gsm,WAV,MP3,M4A,AAC,OGG,FLAC,AMR,3GP,MP4,MOV'

export type Missing = { readonly label: string; readonly reason: string }
export type Found = { readonly recordings: readonly Recording[]; readonly missing: readonly Missing[] }

export type FindOptions = {
  /** Where what comes on standard input is put: it has to be read more than once. */
  readonly stdinFolder: string
  readonly stdin: NodeJS.ReadableStream
}

type Named = { readonly path: string; readonly label: string; readonly name: string }

/** Files, folders, patterns and `-` become recordings; a file named twice is one. */
export async function findRecordings(inputs: readonly string[], options: FindOptions): Promise<Found> {
  const missing: Missing[] = []
  const named = new Map<string, Named>()
  for (const input of inputs) {
    const found = await expand(input, options)
    if (found.length === 0) missing.push({ label: input, reason: 'no recording is there' })
    for (const each of found) if (!named.has(each.path)) named.set(each.path, each)
  }
  const recordings: Recording[] = []
  const targets = nameTargets([...named.values()].map(({ name }) => name))
  for (const [index, { path, label }] of [...named.values()].entries()) {
    const known = await stat(path).catch(() => undefined)
    if (!known) missing.push({ label, reason: 'there is no such file' })
    else recordings.push({ path, label, target: targets[index] ?? '', bytes: known.size, stamp: stampOf(known) })
  }
  return { recordings, missing }
}

export const stampOf = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): string =>
  `${size}-${Math.round(mtimeMs)}`

async function expand(input: string, options: FindOptions): Promise<Named[]> {
  if (input === '-') return [await fromStdin(options)]
  const known = await stat(input).catch(() => undefined)
  if (known?.isDirectory()) return listFolder(input)
  if (known || !/[*?[{]/.test(input)) return [{ path: resolve(input), label: input, name: basename(input) }]
  const fixed = input.slice(0, input.search(/[*?[{]/))
  return list(input, fixed.endsWith('/') ? fixed : dirname(fixed))
}

export const listFolder = (folder: string): Promise<Named[]> =>
  list(`${escapePattern(folder)}/**/*.{${ENDINGS}}`, folder)

async function list(pattern: string, root: string): Promise<Named[]> {
  const found = await glob(pattern, { onlyFiles: true, expandDirectories: false })
  return found.toSorted().map((each) => {
    const path = resolve(each)
    return { path, label: isAbsolute(pattern) ? path : each, name: relative(resolve(root), path) }
  })
}

const escapePattern = (path: string): string => path.replace(/\/+$/, '').replace(/[*?[\]{}()!+@]/g, '\\$&')

async function fromStdin({ stdin, stdinFolder }: FindOptions): Promise<Named> {
  const path = join(stdinFolder, 'stdin')
  await pipeline(stdin, createWriteStream(path))
  return { path, label: '-', name: 'stdin' }
}

/** `call.mp3` is written to `call.txt`; where `call.wav` is there too, to `call.mp3.txt` and `call.wav.txt`. */
export function nameTargets(names: readonly string[]): string[] {
  const bare = (name: string) => join(dirname(name), basename(name, extname(name)))
  const count = new Map<string, number>()
  for (const name of names) count.set(bare(name), (count.get(bare(name)) ?? 0) + 1)
  const taken = new Set<string>()
  return names.map((name) => {
    const wanted = count.get(bare(name)) === 1 ? bare(name) : name
    let target = wanted
    for (let next = 2; taken.has(target); next++) target = `${wanted}-${next}`
    taken.add(target)
    return target
  })
}
