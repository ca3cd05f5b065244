import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

export type Clip = {
  /** As the manifest writes it. */
  readonly name: string
  readonly path: string
  /** `hi`, `en`, `hi-en` for both in one sentence, `-` for a recording in which nobody speaks. */
  readonly language: string
  readonly durationSeconds: number
  /** Empty when nobody wrote down what is said: then the clip counts for faults and speed, not for error rates. */
  readonly transcript: string
  /** What else the manifest says of it. */
  readonly note?: string
}

const COLUMNS = ['file', 'language', 'duration_s', 'transcript'] as const

/** A TSV with a heading; further columns are left alone. Paths count from the manifest. */
export async function readManifest(file: string): Promise<Clip[]> {
  const [heading = '', ...rows] = (await readFile(file, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '')
  const names = heading.split('\t')
  const places = COLUMNS.map((column) => names.indexOf(column))
  const absent = COLUMNS.filter((_, index) => (places[index] ?? -1) < 0)
  if (absent.length > 0)
    throw new Error(`${file} has no column ${absent.join(', ')}; its heading is: ${names.join(', ')}`)
  return rows.map((row, index) => {
    const cells = row.split('\t')
    const [name = '', language = '', duration = '', transcript = ''] = places.map((place) => cells[place])
    const durationSeconds = Number(duration)
    if (!name || !language || !(durationSeconds > 0)) throw new Error(`${file}: row ${index + 2} is not whole: ${row}`)
    const note = cells[names.indexOf('note')]
    return {
      name,
      path: resolve(dirname(file), name),
      language,
      durationSeconds,
      transcript: transcript.trim(),
      ...(note && { note }),
    }
  })
}

export const isSpeech = (clip: Clip): boolean => clip.language !== '-'

/** The first `limit` of every language: a manifest is usually sorted, and its head would be one language only. */
export function takeOfEach<C extends Pick<Clip, 'language'>>(
  clips: readonly C[],
  limit: number | undefined,
  kindOf: (clip: C) => string = ({ language }) => language,
): C[] {
  if (limit === undefined) return [...clips]
  const taken = new Map<string, number>()
  return clips.filter((clip) => {
    const count = (taken.get(kindOf(clip)) ?? 0) + 1
    taken.set(kindOf(clip), count)
    return count <= limit
  })
}

/** Clips of one source lie in one folder. */
export const setOf = (clip: Clip): string => clip.name.split('/').at(-2) ?? ''

export const startsWithOneOf = (clip: Clip, beginnings: readonly string[]): boolean =>
  beginnings.length === 0 || beginnings.some((beginning) => clip.name.startsWith(beginning))
