import type { Tag } from '../../speech/transcript.ts'
import type { CaptionScores } from './caption-tree.ts'

/** What a clip's caption scores come to. */
export type Finding = {
  /** `unsure`: something sounds, and a better listener should name it; `tags` is what holds if there is none. */
  readonly verdict: 'sure' | 'unsure'
  readonly tags: readonly { readonly tag: Tag; readonly confidence: number }[]
  /** Nobody speaks beside it. */
  readonly isAlone: boolean
  /** So surely that, in a short clip, words written for it are invented. */
  readonly isAll?: boolean
}

/** Speech almost never begins with the caption of a sound; sounds by themselves begin with one at least so often. */
const [SUSPICIOUS, ALONE] = [0.05, 0.2]

/** From here on the smallest model is believed. Laughter under speech it names rarely, and where nobody speaks takes coughs for it. */
const QUICK: Readonly<Partial<Record<Tag, number>>> = { laughing: 0.45, applause: 0.2, music: 0.4 }
const LAUGHTER_UNDER_SPEECH = 0.03
/** What the larger model says after it has read captions is believed from here on. */
const THOROUGH = 0.3
/** No clip of speech comes near to these, with a laugh under it or without. */
const QUICK_ALL = 0.5
const THOROUGH_ALL = { sound: 0.7, name: 0.8 }
/** Single coughs are what a short window hides: from here on the whole window is worth its time. */
const PERHAPS_A_COUGH = 0.02

export function judgeQuickly({ sound, tags }: CaptionScores): Finding {
  const isAlone = sound >= ALONE
  const { tag, score } = likeliest(tags)
  if (score >= (QUICK[tag] ?? 1))
    return { verdict: 'sure', tags: [named(tag, score)], isAlone, isAll: sound >= QUICK_ALL && score >= QUICK_ALL }
  const verdict = sound >= SUSPICIOUS ? 'unsure' : 'sure'
  const laughter = tags.laughing ?? 0
  if (laughter >= LAUGHTER_UNDER_SPEECH && !isAlone) {
    return { verdict, tags: [named('laughing', laughter)], isAlone }
  }
  return { verdict, tags: [], isAlone }
}

/** What the larger model cannot name stays what the smaller one took it for. */
export function judgeThoroughly({ sound, tags }: CaptionScores, before: Finding): Finding {
  const isAlone = sound >= ALONE
  const { tag, score } = likeliest(tags)
  if (score >= THOROUGH) {
    const isAll = sound >= THOROUGH_ALL.sound && score >= THOROUGH_ALL.name
    return { verdict: 'sure', tags: [named(tag, score)], isAlone, isAll }
  }
  const isOpen = isAlone && (tags.coughing ?? 0) >= PERHAPS_A_COUGH
  return { verdict: isOpen ? 'unsure' : 'sure', tags: before.tags, isAlone }
}

function likeliest(tags: CaptionScores['tags']): { readonly tag: Tag; readonly score: number } {
  const known: readonly Tag[] = ['laughing', 'applause', 'coughing', 'crying', 'music']
  return known.map((tag) => ({ tag, score: tags[tag] ?? 0 })).reduce((a, b) => (b.score > a.score ? b : a))
}

/** The least that is believed is more likely right than wrong; a caption that is nothing else is as good as certain. */
const named = (tag: Tag, score: number) => ({ tag, confidence: Math.round((0.5 + Math.min(1, score) / 2) * 100) / 100 })
