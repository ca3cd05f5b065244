import type { Segment } from '../speech/transcript.ts'
import { writeSegment } from './write-text.ts'

/** What reads comfortably on a screen: two lines of at most 42 characters, for at most seven seconds. */
const LINE_CHARACTERS = 42
const CUE_LINES = 2
const CUE_MS = 7000

type Cue = {
  readonly startMs: number
  readonly endMs: number
  readonly lines: readonly string[]
  readonly speaker?: string
}

export function toSrt(segments: readonly Segment[]): string {
  return segments
    .flatMap(cuesOf)
    .map(
      ({ startMs, endMs, lines }, at) =>
        `${at + 1}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${lines.join('\n')}\n`,
    )
    .join('\n')
}

export function toVtt(segments: readonly Segment[]): string {
  const cues = segments.flatMap(cuesOf).map(({ startMs, endMs, lines, speaker }) => {
    const text = lines.map(escapeVtt).join('\n')
    return `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${speaker ? `<v ${speaker}>${text}` : text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** Plain text: a line for each stretch by one speaker, with the speaker's name where there are several. */
export function toPlainText(segments: readonly Segment[]): string {
  const several = new Set(segments.map(({ speakerId }) => speakerId)).size > 1
  const paragraphs: { speaker: string | undefined; text: string }[] = []
  for (const segment of segments) {
    const text = writeSegment(segment)
    const open = paragraphs.at(-1)
    if (text === '') continue
    if (open && open.speaker === segment.speakerId) open.text += ` ${text}`
    else paragraphs.push({ speaker: segment.speakerId, text })
  }
  return paragraphs.map(({ speaker, text }) => `${several && speaker ? `${speaker}: ` : ''}${text}\n`).join('')
}

function cuesOf(segment: Segment): Cue[] {
  const lines = wrap(writeSegment(segment).split(/\s+/).filter(Boolean))
  const spanMs = segment.endMs - segment.startMs
  const byTime = Math.max(1, Math.ceil(lines.length / Math.max(1, Math.ceil(spanMs / CUE_MS))))
  const perCue = Math.min(CUE_LINES, byTime)
  const groups = Array.from({ length: Math.ceil(lines.length / perCue) }, (_, at) =>
    lines.slice(at * perCue, (at + 1) * perCue),
  )
  const characters = lines.join('').length
  let spoken = 0
  return groups.map((group) => {
    const startMs = segment.startMs + Math.round((spanMs * spoken) / characters)
    spoken += group.join('').length
    const endMs = segment.startMs + Math.round((spanMs * spoken) / characters)
    return { startMs, endMs, lines: group, ...(segment.speakerId ? { speaker: segment.speakerId } : {}) }
  })
}

/** Lines of like length rather than a full one and a lone word below it. */
function wrap(words: readonly string[]): string[] {
  const total = words.join(' ').length
  const target = Math.min(LINE_CHARACTERS, Math.ceil(total / Math.ceil(total / LINE_CHARACTERS)) + 6)
  const lines: string[] = []
  for (const word of words) {
    const open = lines.at(-1)
    if (open === undefined || open.length + 1 + word.length > target) lines.push(word)
    else lines[lines.length - 1] = `${open} ${word}`
  }
  return lines
}

const escapeVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function clock(ms: number, point: ',' | '.'): string {
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
  const whole = Math.max(0, Math.round(ms))
  const seconds = Math.floor(whole / 1000)
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => pad(part, 2))
  return `${time.join(':')}${point}${pad(whole % 1000, 3)}`
}
