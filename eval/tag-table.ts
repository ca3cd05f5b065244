import type { ChunkTranscriber, Samples } from '../src/speech/ports.ts'
import type { Segment, Tag } from '../src/speech/transcript.ts'
import { describeChunks } from '../src/transcription/describe-chunks.ts'
import { decodeClip } from './decode-clip.ts'
import { addErrors, countErrors, type Errors, NO_ERRORS, rates } from './error-rates.ts'
import { hearFile, type Listener } from './hear-file.ts'
import { mixUnder } from './mix-sounds.ts'
import { type Clip, isSpeech } from './read-manifest.ts'
import type { Table } from './speech-information.ts'

/** What the manifest of sounds calls a clip, in square brackets, and what we call it. */
const TAG_OF: Readonly<Record<string, Tag>> = { laughing: 'laughing', coughing: 'coughing', clapping: 'applause' }
/** Taken for coughs by ears better than ours. */
const LEFT_OUT = ['sneezing']
const UNDER_SPEECH_DB = [0, -5, -10]
const MOST_MIXED = 12

type Case = {
  readonly name: string
  readonly truth: Tag | undefined
  readonly samples: Samples
  /** Of a mixture whose words are counted too. */
  readonly spoken?: Clip
}
type Heard = Omit<Case, 'samples'> & { readonly tags: readonly Tag[] }
type Score = { readonly tag: Tag; readonly precision: number; readonly recall: number; readonly clips: number }

const labelOf = ({ transcript }: Clip): string => transcript.replace(/^\[|\]$/g, '')

/** Precision and recall of each tag over single clips, sounds in files of their own, and laughter mixed under speech. */
export async function tagTable(listener: Listener, clips: readonly Clip[], limit = MOST_MIXED): Promise<Table> {
  const sounds = clips.filter((clip) => !isSpeech(clip) && !LEFT_OUT.includes(labelOf(clip)))
  const spoken = clips.filter(isSpeech)
  const single = [...sounds, ...spoken].map((clip) => async (): Promise<Case> => {
    const truth = isSpeech(clip) ? undefined : TAG_OF[labelOf(clip)]
    return { name: clip.name, truth, samples: await decodeClip(clip.path) }
  })
  const alone = await hearAll(single, (each) => tagClip(listener, each))
  const inFiles = await hearAll(single.slice(0, sounds.length), (each) => tagFile(listener, each))
  const words = { tagged: NO_ERRORS, untagged: NO_ERRORS }
  const laughed = await hearAll(mixtures(sounds, spoken, limit, true), (each) => tagMixture(listener, each, words))
  const others = await hearAll(mixtures(sounds, spoken, limit, false), (each) => tagClip(listener, each))
  const scores = Object.values(TAG_OF).map((tag) => score(tag, alone))
  const filed = Object.values(TAG_OF).map((tag) => score(tag, inFiles))
  const under = score('laughing', [...laughed, ...others])
  const wer = { tagged: rates(words.tagged).wer, untagged: rates(words.untagged).wer }
  return {
    name: 'tags',
    lines: [
      ...scores.map((each) => describe(each, `${alone.length} clips, ${spoken.length} of them speech`)),
      ...filed.map((each) => describe(each, `files of one sound, ${inFiles.length}`)),
      describe(
        under,
        `under speech at ${UNDER_SPEECH_DB.join(', ')} dB, ${laughed.length} mixtures and ${others.length} without`,
      ),
      `words of the mixtures: WER ${wer.tagged} tagged, ${wer.untagged} untagged`,
      ...wrong([...alone, ...inFiles, ...laughed, ...others]),
    ],
    figures: { alone: scores, in_files: filed, under_speech: under, wer },
  }
}

/** Laughter under speech clips at each level, or nothing but another sound under the same ones. */
function mixtures(sounds: readonly Clip[], spoken: readonly Clip[], limit: number, isLaughter: boolean) {
  const from = sounds.filter((clip) => (labelOf(clip) === 'laughing') === isLaughter)
  const written = spoken.filter(({ transcript }) => transcript !== '')
  // From all over the list: speech of every kind.
  const every = Math.max(1, Math.floor(written.length / Math.min(limit, MOST_MIXED)))
  const chosen = written.filter((_, i) => i % every === 0).slice(0, Math.min(limit, MOST_MIXED))
  return chosen.flatMap((clip, i) =>
    UNDER_SPEECH_DB.map((db, nth) => async (): Promise<Case> => {
      const sound = from[(i + 3 * nth) % from.length]
      const under = sound ? await decodeClip(sound.path) : new Float32Array()
      const samples = mixUnder(await decodeClip(clip.path), under, db, (i % 5) / 4)
      const truth = sound && TAG_OF[labelOf(sound)]
      return { name: `${clip.name} with ${sound?.name} at ${db} dB`, truth, samples, spoken: clip }
    }),
  )
}

async function hearAll(
  cases: readonly (() => Promise<Case>)[],
  tagsOf: (each: Case) => Promise<readonly Tag[]>,
): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const open of cases) {
    const { samples, ...each } = await open()
    heard.push({ ...each, tags: await tagsOf({ ...each, samples }) })
  }
  return heard
}

async function tagClip({ speech }: Listener, { samples }: Case): Promise<readonly Tag[]> {
  const [outcome] = (await speech.tagger?.tag([{ samples, language: 'en' }])) ?? []
  if (outcome && !outcome.ok) throw outcome.error
  return outcome?.value.map(({ tag }) => tag) ?? []
}

const tagFile = async (listener: Listener, { samples }: Case): Promise<readonly Tag[]> =>
  (await hearFile(listener, samples)).segments.flatMap(({ tags }) => tags.map(({ tag }) => tag))

/** Its words as a file with tags would have them, and as the recogniser gave them before anybody looked for tags. */
async function tagMixture(
  { speech: { transcriber, tagger }, config }: Listener,
  { samples, spoken }: Case,
  words: { tagged: Errors; untagged: Errors },
): Promise<readonly Tag[]> {
  let plain: readonly Segment[] = []
  const spying: ChunkTranscriber = {
    async transcribe(requests, signal) {
      const outcomes = await transcriber.transcribe(requests, signal)
      const [first] = outcomes
      plain = first?.ok ? first.value.segments : []
      return outcomes
    },
    close: async () => undefined,
  }
  const [outcome] = await describeChunks(spying, tagger && { tagger }).transcribe([
    { samples, languages: config.ASR_LANGUAGES },
  ])
  if (!outcome?.ok) throw outcome?.error ?? new Error('no answer')
  const { segments } = outcome.value
  const count = (all: readonly Segment[]) =>
    countErrors(spoken?.transcript ?? '', all.map(({ text }) => text).join(' '), spoken?.language ?? '')
  words.tagged = addErrors(words.tagged, count(segments))
  words.untagged = addErrors(words.untagged, count(plain))
  return segments.flatMap(({ tags }) => tags.map(({ tag }) => tag))
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
