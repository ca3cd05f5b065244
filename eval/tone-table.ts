import { describeVoice } from '../src/audio/features/describe-voice.ts'
import type { Samples } from '../src/speech/ports.ts'
import { labelTone, ordinaryManner } from '../src/transcription/voice/label-tone.ts'
import { type Manner, mannerOf } from '../src/transcription/voice/speaking-manner.ts'
import { tagManner } from '../src/transcription/voice/tag-manner.ts'
import { decodeClip } from './decode-clip.ts'
import { type Clip, setOf } from './read-manifest.ts'
import type { Table } from './speech-information.ts'

/** Acted clips are named ACTOR_..._INTENSITY_..._FEELING. Fear has no tone of ours: it is only part of how an actor speaks. */
const ACTED = /(A\d+)_\d+_\d+_(\d+)_\d+_(.+)_(angry|happy|neutral|sad|fear)\.[^.]+$/
const CLASSES = ['angry', 'happy', 'neutral', 'sad'] as const
type Feeling = (typeof CLASSES)[number] | 'fear'
const FEELING_OF = {
  neutral: 'neutral',
  calm: 'neutral',
  cheerful: 'happy',
  excited: 'happy',
  angry: 'angry',
  sad: 'sad',
} as const
const TRAITS = ['pitch', 'range', 'levelDb', 'tiltDb', 'rate'] as const
const LOUDER_DB = 12

type Acted = {
  readonly actor: string
  readonly isStrong: boolean
  readonly feeling: Feeling
  readonly manner: Manner
  readonly louder: Manner
}
type Judge = (clip: Acted) => Feeling | undefined

/** Tone on acted clips beside chance and rules of one trait; shouting on their loud and normal pairs. */
export async function toneTables(clips: readonly Clip[]): Promise<Table[]> {
  const acted = await readActed(clips)
  const judged = acted.filter(({ feeling }) => feeling !== 'fear')
  const others = await readOthers(clips)
  return judged.length === 0 ? [] : [toneTable(acted, judged), shoutingTable(acted, others)]
}

async function readActed(clips: readonly Clip[]): Promise<Acted[]> {
  const acted: Acted[] = []
  for (const clip of clips) {
    const [, actor, intensity, , feeling] = ACTED.exec(clip.name) ?? []
    if (!actor || !feeling) continue
    const samples = await decodeClip(clip.path)
    const [manner, louder] = [await mannerIn(samples), await mannerIn(turnedUp(samples))]
    // The expression allows the classes and nothing else.
    if (manner && louder)
      acted.push({ actor, isStrong: intensity === '02', feeling: feeling as Feeling, manner, louder })
  }
  return acted
}

const mannerIn = async (samples: Samples): Promise<Manner | undefined> => mannerOf(await describeVoice(samples))
const turnedUp = (samples: Samples): Samples => samples.map((sample) => sample * 10 ** (LOUDER_DB / 20))

/** As in a file in which an actor says all of it, fear too. */
const ordinaryOf = (acted: readonly Acted[], who: string): Manner =>
  ordinaryManner(acted.filter(({ actor }) => actor === who).map(({ manner }) => manner)) as Manner // somebody acts in every clip

function toneTable(acted: readonly Acted[], judged: readonly Acted[]): Table {
  const ours: Judge = ({ actor, manner }) => FEELING_OF[labelTone(manner, ordinaryOf(acted, actor)).tone]
  const macro = macroAccuracy(judged, ours)
  const rules = TRAITS.map((trait) => ({ trait, accuracy: macroAccuracy(judged, oneTrait(acted, trait)) }))
  const confusion = CLASSES.map((said) => {
    const own = judged.filter(({ feeling }) => feeling === said)
    const heard = CLASSES.map((each) => `${each} ${own.filter((clip) => ours(clip) === each).length}`)
    return `${said.padEnd(8)} heard as ${heard.join(', ')}`
  })
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`
  return {
    name: `tone, ${judged.length} acted clips of ${new Set(judged.map(({ actor }) => actor)).size} actors`,
    lines: [
      `macro accuracy ${percent(macro)}   chance ${percent(1 / CLASSES.length)}`,
      `rules of one trait, learned from the other actor: ${rules.map(({ trait, accuracy }) => `${trait} ${percent(accuracy)}`).join(', ')}`,
      ...confusion,
    ],
    figures: { clips: judged.length, macro_accuracy: macro, chance: 1 / CLASSES.length, one_trait: rules },
  }
}

/** The feeling whose mean of one trait, over the actors that are not heard now, is nearest. */
function oneTrait(acted: readonly Acted[], trait: (typeof TRAITS)[number]): Judge {
  const step = ({ actor, manner }: Acted) => manner[trait] - ordinaryOf(acted, actor)[trait]
  return (clip) => {
    const means = CLASSES.map((feeling) => {
      const own = acted.filter((each) => each.actor !== clip.actor && each.feeling === feeling).map(step)
      return own.reduce((sum, value) => sum + value, 0) / own.length
    })
    const away = means.map((mean) => (Number.isNaN(mean) ? Number.POSITIVE_INFINITY : Math.abs(mean - step(clip))))
    return CLASSES[away.indexOf(Math.min(...away))]
  }
}

function macroAccuracy(acted: readonly Acted[], judge: Judge): number {
  const shares = CLASSES.flatMap((feeling) => {
    const own = acted.filter((clip) => clip.feeling === feeling)
    return own.length === 0 ? [] : [own.filter((clip) => judge(clip) === feeling).length / own.length]
  })
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
}

type Pair = { readonly ordinary: Manner; readonly louder: Manner }

/** Every speaker's own clip, and the same with the volume turned up. */
async function readOthers(clips: readonly Clip[]): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const clip of clips.filter((each) => setOf(each).startsWith('en_'))) {
    const samples = await decodeClip(clip.path)
    const [ordinary, louder] = [await mannerIn(samples), await mannerIn(turnedUp(samples))]
    if (ordinary && louder) pairs.push({ ordinary, louder })
  }
  return pairs
}

function shoutingTable(acted: readonly Acted[], others: readonly Pair[]): Table {
  const isShout = (manner: Manner, ordinary: Manner) =>
    tagManner(manner, ordinary, { startMs: 0, endMs: 1 }).some(({ tag }) => tag === 'shouting')
  const of = (all: readonly Acted[], manner: (clip: Acted) => Manner) =>
    all.filter((clip) => isShout(manner(clip), ordinaryOf(acted, clip.actor))).length
  const loud = acted.filter(({ feeling, isStrong }) => feeling === 'angry' && isStrong)
  const normal = acted.filter(({ feeling }) => feeling === 'neutral')
  const figures = {
    loud: { clips: loud.length, shouting: of(loud, ({ manner }) => manner) },
    normal: { clips: normal.length, shouting: of(normal, ({ manner }) => manner) },
    normal_turned_up: { clips: normal.length, shouting: of(normal, ({ louder }) => louder) },
    others_turned_up: {
      clips: others.length,
      shouting: others.filter(({ ordinary, louder }) => isShout(louder, ordinary)).length,
    },
  }
  const lines = Object.entries(figures).map(
    ([name, { clips, shouting }]) => `${name.replaceAll('_', ' ').padEnd(17)} ${shouting} of ${clips} tagged shouting`,
  )
  return { name: `shouting; turned up means ${LOUDER_DB} dB`, lines, figures }
}
