import type { Segment, Transcript } from '../speech/transcript.ts'
import { writeSegment } from '../transcription/write-text.ts'

/** What the interface shows: snake case, seconds, and segments only where they were asked for. */
export type SegmentView = ReturnType<typeof toSegmentView>

export const seconds = (ms: number): number => Math.round(ms) / 1000

export function toSegmentView(segment: Segment) {
  return {
    start: seconds(segment.startMs),
    end: seconds(segment.endMs),
    text: writeSegment(segment),
    speaker_id: segment.speakerId ?? null,
    speaker_confidence: segment.speakerConfidence ?? null,
    tone: segment.tone ?? null,
    tone_confidence: segment.toneConfidence ?? null,
    accent: segment.accent ?? null,
    accent_confidence: segment.accentConfidence ?? null,
    language: segment.language,
    confidence: segment.confidence,
    tags: segment.tags.map(({ tag }) => tag),
    tag_times: segment.tags.map(({ tag, startMs, endMs, confidence }) => ({
      tag,
      start: seconds(startMs),
      end: seconds(endMs),
      confidence,
    })),
    words: segment.words.map(({ text, startMs, endMs }) => ({
      word: text,
      start: seconds(startMs),
      end: seconds(endMs),
    })),
  }
}

/** Segments are left out already when read: they are most of a transcript. */
export type StoredTranscript = Omit<Transcript, 'segments'> & { readonly segments?: readonly Segment[] }

export type TranscriptView = {
  readonly text: string
  readonly language: string | null
  readonly languages: readonly string[]
  readonly duration_seconds: number
  readonly segments?: readonly SegmentView[]
}

export function toTranscriptView({
  text,
  language,
  languages,
  durationMs,
  segments,
}: StoredTranscript): TranscriptView {
  const whole = { text, language, languages, duration_seconds: seconds(durationMs) }
  return segments ? { ...whole, segments: segments.map(toSegmentView) } : whole
}
