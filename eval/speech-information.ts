import { readConfig } from '../src/main/config.ts'
import { openSpeech } from '../src/main/open-speech.ts'
import { openSynthesizer } from '../src/main/open-synthesizer.ts'
import { defaultModelsDir } from '../src/models/default-models-dir.ts'
import { costTable } from './cost-table.ts'
import type { Listener } from './hear-file.ts'
import type { EvalOptions } from './options.ts'
import { pauseTable } from './pause-table.ts'
import { type Clip, isSpeech, readManifest, setOf, startsWithOneOf, takeOfEach } from './read-manifest.ts'
import { type Speak, speakWith } from './speak-lines.ts'
import { speakerTable } from './speaker-table.ts'
import { tagTable } from './tag-table.ts'
import { toneTables } from './tone-table.ts'
import { wordTimeTable } from './word-time-table.ts'

export type Table = { readonly name: string; readonly lines: readonly string[]; readonly figures: unknown }
export type SpeechInformation = { readonly tables: readonly Table[] }

type Subject = {
  readonly listener: Listener
  readonly speak: Speak
  /** Of each source and of each sound the first few, where that is wanted. */
  readonly clips: readonly Clip[]
  /** Clips whose contrasts matter are all heard: so they are few. */
  readonly all: readonly Clip[]
  readonly limit: number | undefined
}

/** The quick ones first. */
const MEASURES: Readonly<Record<string, (subject: Subject) => Promise<readonly Table[]>>> = {
  tone: ({ all }) => toneTables(all),
  pause: async ({ listener, speak, limit }) => [await pauseTable(listener, speak, limit)],
  words: async ({ listener, speak, limit }) => [await wordTimeTable(listener.speech, speak, limit)],
  speakers: async ({ listener, all, speak, limit }) => [await speakerTable(listener, all, speak, limit)],
  cost: async ({ listener, clips, limit }) => [await costTable(listener, clips, limit && 10 * limit)],
  tags: async ({ listener, clips, limit }) => [await tagTable(listener, clips, limit)],
}

/** What is heard besides the words, one table for each kind. */
export async function measureSpeechInformation(options: EvalOptions): Promise<SpeechInformation> {
  const unknown = options.tables.find((name) => !(name in MEASURES))
  if (unknown) throw new Error(`--table is one of ${Object.keys(MEASURES).join(', ')}, not "${unknown}"`)
  const all = (await readManifest(options.manifest)).filter((clip) => startsWithOneOf(clip, options.only))
  // A sound is told by its name, not by its folder: all of them are heard.
  const clips = takeOfEach(all, options.limit, (clip) => (isSpeech(clip) ? setOf(clip) : clip.transcript))
  const { env } = process
  const note = (line: string) => console.error(line)
  const config = readConfig(env)
  const speech = await openSpeech({ config, env, note, signal: new AbortController().signal })
  const synthesizer = await openSynthesizer({ dir: config.MODELS_DIR ?? defaultModelsDir(env) })
  const subject = { listener: { speech, config }, speak: speakWith(synthesizer), clips, all, limit: options.limit }
  try {
    const tables: Table[] = []
    for (const [name, measure] of Object.entries(MEASURES)) {
      if (options.tables.length > 0 && !options.tables.includes(name)) continue
      const found = await measure(subject)
      tables.push(...found)
      note(describeTables({ tables: found }))
    }
    return { tables }
  } finally {
    await Promise.all([speech.close(), synthesizer.close()])
  }
}

export const describeTables = ({ tables }: SpeechInformation): string =>
  tables.map(({ name, lines }) => [name, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n')
