import { type EventTagger, type HeardTag, type Outcome, SAMPLE_RATE_HZ, type Samples } from '../../speech/ports.ts'
import type { Tag } from '../../speech/transcript.ts'
import { attempt } from '../host/attempt.ts'
import { loudPart, type Part } from '../host/loud-part.ts'
import type { CaptionAsk } from './caption-clips.ts'
import type { CaptionScores } from './caption-tree.ts'
import { type Finding, judgeQuickly, judgeThoroughly } from './judge-caption.ts'
import type { SoundCaptioner } from './sound-captioner.ts'

export type CaptionTaggerParts = {
  /** The smallest Whisper: hears every clip, and has usually heard it already for its language. */
  readonly quick: SoundCaptioner
  /** A larger one: asked only where the quick one hears something and cannot name it. */
  readonly thorough?: SoundCaptioner | undefined
}

const PLAIN: CaptionAsk = { window: 'short', isPrimed: false }
const CLIPS_AT_ONCE = 8
/** A tag in the middle of speech is looked for in windows of this length, one beginning half-way through the other. */
const WINDOW_MS = 2_000
const WHOLE_SHARE = 0.7
/** A voice detector takes a burst of laughter for a word, not a fit of it for a sentence; in a fit somebody may say something. */
const LONGEST_ALL_MS = 2_000

/** A clip in which something is loud enough to be named, and where. */
type Heard = { readonly i: number; readonly samples: Samples; readonly part: Part }

/** Laughter, applause, coughing, crying and music, by what a Whisper would write into subtitles. */
export function createCaptionTagger({ quick, thorough }: CaptionTaggerParts): EventTagger {
  async function hear(samples: readonly Samples[], signal?: AbortSignal): Promise<Finding[]> {
    const first = (await quick.caption(samples, PLAIN, signal)).map(judgeQuickly)
    if (!thorough) return first
    const second = await again(first, samples, { window: 'short', isPrimed: true }, thorough, signal)
    return again(second, samples, { window: 'whole', isPrimed: true }, thorough, signal)
  }

  async function again(
    found: readonly Finding[],
    samples: readonly Samples[],
    ask: CaptionAsk,
    by: SoundCaptioner,
    signal?: AbortSignal,
  ): Promise<Finding[]> {
    const unsure = [...found.keys()].filter((at) => found[at]?.verdict === 'unsure')
    if (unsure.length === 0) return [...found]
    const clips = unsure.flatMap((at) => samples[at] ?? [])
    const scores: readonly CaptionScores[] = await by.caption(clips, ask, signal)
    return found.map((each, at) => {
      const score = scores[unsure.indexOf(at)]
      return score ? judgeThoroughly(score, each) : each
    })
  }

  /** Where in the part it is heard. Beside speech it is looked for piece by piece; by itself it is the whole part. */
  async function place(tag: Tag, isAlone: boolean, { samples, part }: Heard, signal?: AbortSignal): Promise<Part> {
    const windows = isAlone ? [] : windowsOf(part)
    if (windows.length < 2) return part
    const cut = windows.map((window) => cutOut(samples, window))
    const heard = (await quick.caption(cut, PLAIN, signal)).map(({ tags }) => tags[tag] ?? 0)
    return around(windows, heard)
  }

  async function tagBatch(clips: readonly Samples[], signal?: AbortSignal): Promise<HeardTag[][]> {
    const heard = clips.flatMap((samples, i): Heard[] => {
      const part = loudPart(samples)
      return part ? [{ i, samples, part }] : []
    })
    const findings = heard.length === 0 ? [] : await hear(heard.map(listenedTo), signal)
    const tags: HeardTag[][] = clips.map(() => [])
    for (const [nth, each] of heard.entries()) {
      const { tags: found = [], isAlone = false, isAll: isSurelyAll = false } = findings[nth] ?? {}
      const isAll = isSurelyAll && each.part.endMs - each.part.startMs <= LONGEST_ALL_MS
      for (const { tag, confidence } of found) {
        tags[each.i]?.push({ tag, confidence, ...(await place(tag, isAlone, each, signal)), ...(isAll && { isAll }) })
      }
    }
    return tags
  }

  return {
    async tag(requests, signal) {
      const outcomes: Outcome<readonly HeardTag[]>[] = []
      for (let from = 0; from < requests.length; from += CLIPS_AT_ONCE) {
        const clips = requests.slice(from, from + CLIPS_AT_ONCE).map(({ samples }) => samples)
        const batch = await attempt(() => tagBatch(clips, signal))
        // A failure is told of every clip of its batch.
        outcomes.push(...clips.map((_, i) => (batch.ok ? { ok: true as const, value: batch.value[i] ?? [] } : batch)))
      }
      return outcomes
    },
    // The models belong to those who recognise with them.
    close: async () => undefined,
  }
}

const at = (ms: number): number => Math.round((ms * SAMPLE_RATE_HZ) / 1000)

const cutOut = (samples: Samples, { startMs, endMs }: Part): Samples => samples.subarray(at(startMs), at(endMs))

/** A clip that is nearly all loud stays as it is: its states may be known. */
const listenedTo = ({ samples, part }: Heard): Samples =>
  at(part.endMs) - at(part.startMs) >= WHOLE_SHARE * samples.length ? samples : cutOut(samples, part)

function windowsOf({ startMs, endMs }: Part): Part[] {
  const count = Math.max(1, Math.ceil((endMs - startMs) / (WINDOW_MS / 2)) - 1)
  return Array.from({ length: count }, (_, nth) => {
    const fromMs = startMs + (nth * WINDOW_MS) / 2
    return { startMs: fromMs, endMs: Math.min(endMs, fromMs + WINDOW_MS) }
  })
}

/** From the first to the last window in which it is heard at least half as well as in the best. */
function around(windows: readonly Part[], heard: readonly number[]): Part {
  const least = Math.max(...heard) / 2
  const found = windows.filter((_, nth) => (heard[nth] ?? 0) >= least)
  return { startMs: found[0]?.startMs ?? 0, endMs: found.at(-1)?.endMs ?? 0 }
}
