import { readConfig } from '../src/main/config.ts'
import { openSpeech } from '../src/main/open-speech.ts'
import type { EvalOptions } from './options.ts'
import { isSpeech, readManifest, setOf, startsWithOneOf, takeOfEach } from './read-manifest.ts'
import { speakerTable } from './speaker-table.ts'
import { tagTable } from './tag-table.ts'
import { wordTimeTable } from './word-time-table.ts'

export type Table = { readonly name: string; readonly lines: readonly string[]; readonly figures: unknown }
export type SpeechInformation = { readonly tables: readonly Table[] }

/** What is heard besides the words, one table for each kind. */
export async function measureSpeechInformation(options: EvalOptions): Promise<SpeechInformation> {
  const wanted = (await readManifest(options.manifest)).filter((clip) => startsWithOneOf(clip, options.only))
  // A sound is told by its name, not by its folder: all of them are heard.
  const clips = takeOfEach(wanted, options.limit, (clip) => (isSpeech(clip) ? setOf(clip) : clip.name))
  const { env } = process
  const note = (line: string) => console.error(line)
  const config = readConfig(env)
  const speech = await openSpeech({ config, env, note, signal: new AbortController().signal })
  try {
    const tables: Table[] = []
    for (const measure of [
      () => speakerTable(speech, config, clips),
      () => wordTimeTable(speech),
      () => tagTable(speech, clips),
    ]) {
      tables.push(await measure())
      note(describeTables({ tables: tables.slice(-1) }))
    }
    return { tables }
  } finally {
    await speech.close()
  }
}

export const describeTables = ({ tables }: SpeechInformation): string =>
  tables.map(({ name, lines }) => [name, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n')
