import { type Breathe, createBreather } from '../audio/breather.ts'
import type { Language } from '../speech/language.ts'
import type { ChunkTranscript, Segment, Transcript } from '../speech/transcript.ts'
import { joinSeam } from './join-seam.ts'
import { shiftSegment } from './shift-segment.ts'
import { describeSpeech } from './voice/describe-speech.ts'
import { writeSegment } from './write-text.ts'

/** A chunk where it stands in the file, with what was recognised in it; a failed chunk is simply not there. */
export type PlacedTranscript = {
  readonly startMs: number
  readonly endMs: number
  /** How much of its start the chunk before also heard: speech that never paused was cut there. */
  readonly overlapMs: number
  readonly transcript: ChunkTranscript
}

export type MergeOptions = {
  readonly durationMs: number
  /** Silence of at least this long between two segments is written as [pause]; absent: never. */
  readonly pauseMs?: number
  /** False: no tag stays, neither in the text nor in the segments. */
  readonly tags?: boolean
}

/**
 * Chunks finish in any order and count from their own start; a file's segments are in order and count from zero. Works in small
 * pieces: the merge of a day of speech does not hold up the event loop.
 */
export async function mergeTranscripts(
  chunks: readonly PlacedTranscript[],
  options: MergeOptions,
): Promise<Transcript> {
  const breathe = createBreather()
  const inOrder = chunks.toSorted((a, b) => a.startMs - b.startMs)
  const segments = (await placeInOrder(inOrder, breathe)).filter(({ text, tags }) => text !== '' || tags.length > 0)
  const parts = inOrder.map(({ startMs, endMs, transcript: { languageScores, voice, prints } }) => ({
    startMs,
    endMs,
    languageScores,
    ...(voice && { voice }),
    ...(prints && { prints }),
  }))
  const described = await describeSpeech(segments, parts, breathe)
  const withPauses = options.pauseMs === undefined ? described : tagPauses(described, options.pauseMs)
  const tagged = options.tags === false ? withoutTags(withPauses) : withPauses
  const [texts, spoken] = [[] as string[], new SpokenLanguages()]
  for (const segment of tagged) {
    await breathe()
    texts.push(writeSegment(segment))
    spoken.add(segment)
  }
  const languages = spoken.mostFirst()
  return {
    // A recording in which nobody speaks has no text, whatever else is heard in it.
    text: languages.length === 0 ? '' : texts.filter(Boolean).join(' '),
    language: languages[0] ?? null,
    languages,
    durationMs: options.durationMs,
    segments: tagged,
  }
}

async function placeInOrder(inOrder: readonly PlacedTranscript[], breathe: Breathe): Promise<Segment[]> {
  const placed: Segment[] = []
  for (const { startMs, overlapMs, transcript } of inOrder) {
    await breathe()
    const here = transcript.segments.map((segment) => shiftSegment(segment, startMs))
    const last = overlapMs > 0 ? placed.pop() : undefined
    placed.push(...(last ? joinSeam(last, here, startMs + overlapMs) : here))
  }
  return placed
}

/** A pause belongs to the segment it follows, and only while the same voice goes on; a sound in between is nobody's voice. */
function tagPauses(segments: readonly Segment[], pauseMs: number): Segment[] {
  let before: Segment | undefined
  return segments.map((segment, at) => {
    if (segment.text !== '') before = segment
    const [next, spoken] = [segments[at + 1], spokenAfter(segments, at)]
    const isTurn = before !== undefined && spoken !== undefined && spoken.speakerId === before.speakerId
    if (!next || !isTurn || next.startMs - segment.endMs < pauseMs) return segment
    const pause = { tag: 'pause', startMs: segment.endMs, endMs: next.startMs, confidence: 1 } as const
    return { ...segment, tags: [...segment.tags, pause] }
  })
}

function spokenAfter(segments: readonly Segment[], at: number): Segment | undefined {
  let next = at + 1
  while (segments[next]?.text === '') next++
  return segments[next]
}

const withoutTags = (segments: readonly Segment[]): Segment[] =>
  segments.filter(({ text }) => text !== '').map((segment) => ({ ...segment, tags: [] }))

const LATIN_WORD = /[A-Za-z]{2,}/g
/** This share of Latin words in Hindi speech means that English is spoken too, not one borrowed name. */
const MIXED_SHARE = 0.1

/** How long each language is spoken. English words inside Hindi segments make English one of the languages. */
class SpokenLanguages {
  readonly #spokenMs = new Map<Language, number>()

  add({ language, text, startMs, endMs }: Segment): void {
    if (text === '') return
    const words = text.split(/\s+/).length
    const latin = language === 'en' ? 0 : (text.match(LATIN_WORD)?.length ?? 0) / words
    this.#count(language, (endMs - startMs) * (1 - latin))
    if (latin >= MIXED_SHARE) this.#count('en', (endMs - startMs) * latin)
  }

  mostFirst(): Language[] {
    return [...this.#spokenMs].toSorted(([, a], [, b]) => b - a).map(([language]) => language)
  }

  #count(language: Language, ms: number): void {
    this.#spokenMs.set(language, (this.#spokenMs.get(language) ?? 0) + ms)
  }
}
