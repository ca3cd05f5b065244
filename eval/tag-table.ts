import type { Speech } from '../src/main/open-speech.ts'
import type { Samples } from '../src/speech/ports.ts'
import type { Tag } from '../src/speech/transcript.ts'
import { decodeClip } from './decode-clip.ts'
import { mixUnder } from './mix-sounds.ts'
import { type Clip, isSpeech } from './read-manifest.ts'
import type { Table } from './speech-information.ts'

/** What the manifest of sounds calls a clip, in square brackets, and what we call it. */
const TAG_OF: Readonly<Record<string, Tag>> = { laughing: 'laughing', coughing: 'coughing', clapping: 'applause' }
/** Taken for coughs by ears better than ours. */
const LEFT_OUT = ['sneezing']
const UNDER_SPEECH_DB = [0, -5, -10]
const MOST_MIXED = 12

type Case = { readonly name: string; readonly truth: Tag | undefined; readonly samples: Samples }
type Heard = Case & { readonly tags: readonly Tag[] }
type Score = { readonly tag: Tag; readonly precision: number; readonly recall: number; readonly clips: number }

const labelOf = ({ transcript }: Clip): string => transcript.replace(/^\[|\]$/g, '')

/** Precision and recall of each tag over single clips, and of laughter mixed under speech. */
export async function tagTable(speech: Speech, clips: readonly Clip[]): Promise<Table> {
  const sounds = clips.filter((clip) => !isSpeech(clip) && !LEFT_OUT.includes(labelOf(clip)))
  const spoken = clips.filter(isSpeech)
  const single = [...sounds, ...spoken].map((clip) => async (): Promise<Case> => {
    const truth = isSpeech(clip) ? undefined : TAG_OF[labelOf(clip)]
    return { name: clip.name, truth, samples: await decodeClip(clip.path) }
  })
  const startMs = performance.now()
  const alone = await hearAll(speech, single)
  const seconds = (performance.now() - startMs) / 1000
  const mixed = await hearAll(speech, mixtures(sounds, spoken))
  const scores = Object.values(TAG_OF).map((tag) => score(tag, alone))
  const under = score('laughing', mixed)
  return {
    name: 'tags',
    lines: [
      ...scores.map((each) => describe(each, `${alone.length} clips, ${spoken.length} of them speech`)),
      describe(under, `under speech at ${UNDER_SPEECH_DB.join(', ')} dB, ${mixed.length} mixtures`),
      `${seconds.toFixed(0)} s for the single clips`,
      ...wrong([...alone, ...mixed]),
    ],
    figures: { alone: scores, under_speech: under },
  }
}

/** Laughter under every speech clip at each level, and as many clips with nothing or another sound under them. */
function mixtures(sounds: readonly Clip[], spoken: readonly Clip[]): (() => Promise<Case>)[] {
  const laughs = sounds.filter((clip) => labelOf(clip) === 'laughing')
  const others = sounds.filter((clip) => labelOf(clip) !== 'laughing')
  return spoken.slice(0, MOST_MIXED).flatMap((clip, i) =>
    UNDER_SPEECH_DB.flatMap((db, nth) => {
      const make = (from: readonly Clip[], truth: Tag | undefined) => async (): Promise<Case> => {
        const sound = from[(i + 3 * nth) % from.length]
        const under = sound ? await decodeClip(sound.path) : new Float32Array()
        const samples = mixUnder(await decodeClip(clip.path), under, db, (i % 5) / 4)
        return { name: `${clip.name} with ${sound?.name} at ${db} dB`, truth, samples }
      }
      return [make(laughs, 'laughing'), make(others, undefined)]
    }),
  )
}

async function hearAll(speech: Speech, cases: readonly (() => Promise<Case>)[]): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const open of cases) {
    const each = await open()
    const [outcome] = (await speech.tagger?.tag([{ samples: each.samples, language: 'en' }])) ?? []
    if (outcome && !outcome.ok) throw outcome.error
    heard.push({ ...each, samples: new Float32Array(), tags: outcome?.value.map(({ tag }) => tag) ?? [] })
  }
  return heard
}

function score(tag: Tag, heard: readonly Heard[]): Score {
  const right = heard.filter(({ truth, tags }) => truth === tag && tags.includes(tag)).length
  const claimed = heard.filter(({ tags }) => tags.includes(tag)).length
  const clips = heard.filter(({ truth }) => truth === tag).length
  return { tag, precision: right / Math.max(1, claimed), recall: right / Math.max(1, clips), clips }
}

const describe = ({ tag, precision, recall, clips }: Score, of: string): string =>
  `${tag.padEnd(9)} precision ${precision.toFixed(2)}   recall ${recall.toFixed(2)} of ${clips}   (${of})`

const wrong = (heard: readonly Heard[]): string[] =>
  heard
    .filter(({ truth, tags }) =>
      truth ? !tags.includes(truth) : tags.some((tag) => Object.values(TAG_OF).includes(tag)),
    )
    .map(({ name, tags }) => `${name}: heard ${tags.join(', ') || 'nothing'}`)
