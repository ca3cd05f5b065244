import type { Breathe } from '../../audio/breather.ts'
import type { LanguageScores } from '../../speech/language.ts'
import type { Segment, VoicePrint, VoiceStretch } from '../../speech/transcript.ts'
import { isIndian, labelAccent } from './label-accent.ts'
import { inside, labelSpeakers, nameVoices } from './label-speakers.ts'
import { labelTone, ordinaryManner } from './label-tone.ts'
import { type Manner, mannerOf } from './speaking-manner.ts'
import { tagManner } from './tag-manner.ts'

/** A chunk's place in the file and what was heard of the voices and the language in it; a file's are in order. */
type HeardPart = {
  readonly startMs: number
  readonly endMs: number
  readonly languageScores: LanguageScores
  readonly voice?: readonly VoiceStretch[]
  readonly prints?: readonly VoicePrint[]
}

/** Adds to the segments of a whole file who spoke, in which tone and accent, and whether they shouted or whispered. */
export async function describeSpeech(
  segments: readonly Segment[],
  parts: readonly HeardPart[],
  breathe: Breathe,
): Promise<Segment[]> {
  const spoken = await spokenStretches(segments, parts, breathe)
  if (spoken.length === 0) return [...segments]
  const labelled = await labelSpeakers(segments, await nameVoices(spoken, printsOf(parts), breathe), breathe)
  const heard = new Map<string | undefined, Heard[]>()
  for (const segment of labelled) {
    await breathe()
    const own = heard.get(segment.speakerId) ?? []
    heard.set(segment.speakerId, own)
    own.push({ segment, manner: mannerOf(inside(segment, spoken)) })
  }
  const usual = new Map<string | undefined, ReturnType<typeof usualOf>>()
  for (const [speaker, own] of heard) {
    await breathe()
    usual.set(speaker, usualOf(own))
  }
  const described: Segment[] = []
  for (const segment of labelled) {
    await breathe()
    const { manner: ordinary, indianShare = 0 } = usual.get(segment.speakerId) ?? {}
    const accented = { ...segment, ...accentOf(segment, parts, indianShare) }
    const manner = mannerOf(inside(segment, spoken), ordinary)
    described.push(manner && ordinary && segment.text !== '' ? withManner(accented, manner, ordinary) : accented)
  }
  return described
}

/** What a model of speakers made of the file, on the file's clock; empty unless it heard every chunk of speech. */
function printsOf(parts: readonly HeardPart[]): VoicePrint[] {
  const spoken = parts.filter(({ voice }) => voice !== undefined)
  if (spoken.some(({ prints = [] }) => prints.length === 0)) return []
  return spoken.flatMap(({ startMs, prints = [] }) =>
    prints.map((turn) => ({ ...turn, startMs: turn.startMs + startMs, endMs: turn.endMs + startMs })),
  )
}

/** What was heard of voices where something was said, in order, on the file's clock. */
async function spokenStretches(segments: readonly Segment[], parts: readonly HeardPart[], breathe: Breathe) {
  const worded = segments.filter(({ text }) => text !== '')
  const spoken: VoiceStretch[] = []
  for (const { startMs, voice = [] } of parts) {
    await breathe()
    for (const stretch of voice) {
      const placed = { ...stretch, startMs: stretch.startMs + startMs, endMs: stretch.endMs + startMs }
      if (inside(placed, worded).length > 0) spoken.push(placed)
    }
  }
  return spoken.toSorted((a, b) => a.startMs - b.startMs)
}

type Heard = { readonly segment: Segment; readonly manner: Manner | undefined }

/** A speaker's ordinary manner, and how much of what they say is in a language of India. */
function usualOf(own: readonly Heard[]) {
  const lasted = (all: readonly Heard[]) => all.reduce((sum, { segment }) => sum + segment.endMs - segment.startMs, 0)
  const worded = own.filter(({ segment }) => segment.text !== '')
  const indian = worded.filter(({ segment }) => isIndian(segment.language))
  const manner = ordinaryManner(own.flatMap((each) => each.manner ?? []))
  return { manner, indianShare: lasted(indian) / Math.max(1, lasted(worded)) }
}

function withManner(segment: Segment, manner: Manner, usual: Manner): Segment {
  const { tone, confidence } = labelTone(manner, usual)
  const tags = [...tagManner(manner, usual, segment), ...segment.tags]
  return { ...segment, tone, toneConfidence: Math.round(confidence * 100) / 100, tags }
}

function accentOf(segment: Segment, parts: readonly HeardPart[], indianShare: number) {
  if (segment.text === '') return {}
  const part = inside({ startMs: segment.startMs, endMs: segment.startMs + 1 }, parts).at(-1)
  const { accent, confidence } = labelAccent(segment.language, part?.languageScores ?? {}, indianShare)
  return { accent, accentConfidence: confidence }
}
