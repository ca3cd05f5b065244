import type { Language } from '../speech/language.ts'
import type { ChunkTranscript, Segment, Transcript } from '../speech/transcript.ts'
import { joinSeam } from './join-seam.ts'
import { shiftSegment } from './shift-segment.ts'
import { describeSpeech } from './voice/describe-speech.ts'
import { writeText } from './write-text.ts'

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

/** Chunks finish in any order and count from their own start; a file's segments are in order and count from zero. */
export function mergeTranscripts(chunks: readonly PlacedTranscript[], options: MergeOptions): Transcript {
  const segments = placeInOrder(chunks).filter((segment) => segment.text !== '' || segment.tags.length > 0)
  const described = describeSpeech(
    segments,
    chunks.map(({ startMs, endMs, transcript: { languageScores, voice } }) => ({
      startMs,
      endMs,
      languageScores,
      ...(voice && { voice }),
    })),
  )
  const withPauses = options.pauseMs === undefined ? described : tagPauses(described, options.pauseMs)
  const tagged = options.tags === false ? withoutTags(withPauses) : withPauses
  const languages = spokenLanguages(tagged)
  return {
    text: writeText(tagged),
    language: languages[0] ?? null,
    languages,
    durationMs: options.durationMs,
    segments: tagged,
  }
}

function placeInOrder(chunks: readonly PlacedTranscript[]): Segment[] {
  const placed: Segment[] = []
  for (const { startMs, overlapMs, transcript } of chunks.toSorted((a, b) => a.startMs - b.startMs)) {
    const here = transcript.segments.map((segment) => shiftSegment(segment, startMs))
    const last = overlapMs > 0 ? placed.pop() : undefined
    placed.push(...(last ? joinSeam(last, here, startMs + overlapMs) : here))
  }
  return placed
}

/** A pause belongs to the segment it follows, and only while the same voice goes on. */
function tagPauses(segments: readonly Segment[], pauseMs: number): Segment[] {
  return segments.map((segment, at) => {
    const next = segments[at + 1]
    if (!next || next.startMs - segment.endMs < pauseMs || next.speakerId !== segment.speakerId) return segment
    const pause = { tag: 'pause', startMs: segment.endMs, endMs: next.startMs, confidence: 1 } as const
    return { ...segment, tags: [...segment.tags, pause] }
  })
}

const withoutTags = (segments: readonly Segment[]): Segment[] =>
  segments.filter(({ text }) => text !== '').map((segment) => ({ ...segment, tags: [] }))

const LATIN_WORD = /[A-Za-z]{2,}/g
/** This share of Latin words in Hindi speech means that English is spoken too, not one borrowed name. */
const MIXED_SHARE = 0.1

/** Most spoken first. English words inside Hindi segments make English one of the languages. */
function spokenLanguages(segments: readonly Segment[]): Language[] {
  const spokenMs = new Map<Language, number>()
  const add = (language: Language, ms: number) => spokenMs.set(language, (spokenMs.get(language) ?? 0) + ms)
  for (const { language, text, startMs, endMs } of segments) {
    if (text === '') continue
    const words = text.split(/\s+/).length
    const latin = language === 'en' ? 0 : (text.match(LATIN_WORD)?.length ?? 0) / words
    add(language, (endMs - startMs) * (1 - latin))
    if (latin >= MIXED_SHARE) add('en', (endMs - startMs) * latin)
  }
  return [...spokenMs].toSorted(([, a], [, b]) => b - a).map(([language]) => language)
}
