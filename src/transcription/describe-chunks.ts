import { describeVoice } from '../audio/features/describe-voice.ts'
import type {
  ChunkRequest,
  ChunkTranscriber,
  EventTagger,
  HeardTag,
  Outcome,
  Samples,
  SpeakerModel,
} from '../speech/ports.ts'
import type { ChunkTranscript, Segment } from '../speech/transcript.ts'

/** Who listens beside the recogniser; each may be absent. */
export type Listeners = { readonly tagger?: EventTagger; readonly speakers?: SpeakerModel }

/**
 * Adds to what a transcriber writes what else is in the sound: tags, and how the voices sound, from which the merge tells who
 * spoke and how. Neither costs a word that was said: only what was written for a laugh or a cough goes. A tagger that fails leaves
 * the text without tags.
 */
export function describeChunks(transcriber: ChunkTranscriber, { tagger, speakers }: Listeners = {}): ChunkTranscriber {
  return {
    async transcribe(requests, signal) {
      const outcomes = await transcriber.transcribe(requests, signal)
      const tags = tagger ? await tagAll(tagger, requests, outcomes, signal) : []
      const described: Outcome<ChunkTranscript>[] = []
      for (const [at, outcome] of outcomes.entries()) {
        const request = requests[at]
        const isHeard = outcome.ok && request !== undefined
        if (!isHeard) described.push(outcome)
        else
          described.push({ ok: true, value: await describe(outcome.value, request, tags[at] ?? [], speakers, signal) })
      }
      return described
    },
    close: () => transcriber.close(),
  }
}

async function tagAll(
  tagger: EventTagger,
  requests: readonly ChunkRequest[],
  outcomes: readonly Outcome<ChunkTranscript>[],
  signal?: AbortSignal,
): Promise<(readonly HeardTag[])[]> {
  const heard = requests.flatMap(({ samples }, at) => {
    const outcome = outcomes[at]
    return outcome?.ok ? [{ at, clip: { samples, language: outcome.value.language } }] : []
  })
  const clips = heard.map(({ clip }) => clip)
  const answers = await tagger.tag(clips, signal).catch((error: unknown) => {
    if (signal?.aborted) throw error
    return []
  })
  const tags: (readonly HeardTag[])[] = []
  heard.forEach(({ at }, i) => {
    const answer = answers[i]
    tags[at] = answer?.ok ? answer.value : []
  })
  return tags
}

async function describe(
  transcript: ChunkTranscript,
  { samples, balance }: ChunkRequest,
  tags: readonly HeardTag[],
  speakers?: SpeakerModel,
  signal?: AbortSignal,
): Promise<ChunkTranscript> {
  const segments = withTags(transcript, tags)
  if (segments.every(({ text }) => text === '')) return { ...transcript, segments }
  const prints = speakers && (await printsOf(speakers, samples, signal))
  return { ...transcript, segments, voice: await describeVoice(samples, balance), ...(prints && { prints }) }
}

/** A model that fails leaves the voices to their own sound. */
async function printsOf(speakers: SpeakerModel, samples: Samples, signal?: AbortSignal) {
  const [outcome] = await speakers.hear([samples], signal)
  return outcome?.ok ? outcome.value : undefined
}

/** A tag belongs to the segment it is nearest to; where nothing is said, or what is written is invented, it is a segment of its own. */
function withTags({ segments, language }: ChunkTranscript, heard: readonly HeardTag[]): readonly Segment[] {
  const tags = heard.map(({ isAll: _, ...tag }) => tag)
  if (tags.length === 0) return segments
  if (segments.length === 0 || heard.some(({ isAll }) => isAll))
    return tags.map((tag) => ({ ...SILENT, startMs: tag.startMs, endMs: tag.endMs, language, tags: [tag] }))
  const owners = tags.map((tag) => nearest(segments, tag))
  return segments.map((segment, at) => ({
    ...segment,
    tags: [...segment.tags, ...tags.filter((_, i) => owners[i] === at)],
  }))
}

const SILENT = { text: '', confidence: 1, words: [] } as const

function nearest(segments: readonly Segment[], tag: HeardTag): number {
  const middle = (tag.startMs + tag.endMs) / 2
  const away = segments.map(({ startMs, endMs }) => Math.max(0, startMs - middle, middle - endMs))
  return away.indexOf(Math.min(...away))
}
