import type { Breathe } from '../../audio/breather.ts'
import type { Segment, VoicePrint, VoiceStretch, Word } from '../../speech/transcript.ts'
import { matchPrints } from './match-prints.ts'
import { tellVoicesApart } from './tell-voices-apart.ts'
import { eachRow, type HeardVoice } from './voice-rows.ts'
import { toVoiceSpace } from './voice-space.ts'
import type { TurnModel } from './voice-turns.ts'

/** A stretch of the file with the voice heard in it, counted from 0 in order of first speech. */
type VoicedStretch = Span & { readonly speechMs: number; readonly voice: number; readonly voiceConfidence: number }

/** By stretch: which voice, and how surely. */
type Voices = Pick<TurnModel, 'voices' | 'confidence'>

/** A stretch with so much speech counts in full. */
const FULL_SPEECH_MS = 350
/** Two people are on two channels when each channel alone holds at least this share of the speech. */
const SIDE = 0.5
const LEAST_SIDE_SHARE = 0.08
const MOST_CENTRE_SHARE = 0.25
/** A change of voice inside a segment must last: a word of a tenth of a second is no turn. */
const LEAST_TURN_MS = 600

/**
 * Who speaks in each stretch of a whole file: by the channel where two people have one each, else by what a model of speakers
 * made of them, else by the sound of their voices.
 */
export async function nameVoices(
  stretches: readonly VoiceStretch[],
  prints: readonly VoicePrint[],
  breathe: Breathe,
): Promise<VoicedStretch[]> {
  const known = bySide(stretches) ?? byPrint(stretches, prints)
  const { voices, confidence } = known ?? (await byVoice(stretches, breathe))
  const order = [...new Set(voices)]
  const named: VoicedStretch[] = []
  await eachRow(stretches.length, breathe, (i) => {
    const { startMs, endMs, speechMs } = stretches[i] as VoiceStretch // i is inside
    named.push({ startMs, endMs, speechMs, voice: order.indexOf(voices[i] ?? 0), voiceConfidence: confidence[i] ?? 0 })
  })
  return named
}

function bySide(stretches: readonly VoiceStretch[]): Voices | undefined {
  let [left, right, total] = [0, 0, 1e-9]
  for (const { side = 0, speechMs } of stretches) {
    if (side < -SIDE) left += speechMs
    if (side > SIDE) right += speechMs
    total += speechMs
  }
  const isShared = Math.min(left, right) / total >= LEAST_SIDE_SHARE
  if (!isShared || 1 - (left + right) / total > MOST_CENTRE_SHARE) return undefined
  return {
    voices: Int32Array.from(stretches, ({ side = 0 }) => (side > 0 ? 1 : 0)),
    confidence: Float64Array.from(stretches, ({ side = 0 }) => 0.5 + Math.abs(side) / 2),
  }
}

function byPrint(stretches: readonly VoiceStretch[], prints: readonly VoicePrint[]): Voices | undefined {
  if (prints.length === 0) return undefined
  const inOrder = prints.toSorted((a, b) => a.startMs - b.startMs)
  const matched = matchPrints(inOrder)
  let turn = 0
  const found = stretches.map(({ startMs, endMs }) => {
    const middle = (startMs + endMs) / 2
    // The turn it lies in, or the last before it.
    while (turn + 1 < inOrder.length && (inOrder[turn + 1]?.startMs ?? 0) <= middle) turn++
    return matched[turn]
  })
  return {
    voices: Int32Array.from(found, (each) => each?.voice ?? 0),
    confidence: Float64Array.from(found, (each) => each?.confidence ?? 0),
  }
}

async function byVoice(stretches: readonly VoiceStretch[], breathe: Breathe): Promise<Voices> {
  let [sum, pitched] = [0, 0]
  for (const { pitch } of stretches) {
    sum += pitch?.[0] ?? 0
    pitched += pitch ? 1 : 0
  }
  const usualPitch = sum / Math.max(1, pitched)
  const heard: HeardVoice[] = []
  await eachRow(stretches.length, breathe, (i) => {
    const stretch = stretches[i] as VoiceStretch // i is inside
    const weight = Math.min(1, stretch.speechMs / FULL_SPEECH_MS)
    heard.push({ features: toVoiceSpace(stretch, usualPitch), weight })
  })
  return tellVoicesApart(heard, breathe)
}

/** Segments with their speakers; one in which the voice changes is cut between the words where it does. */
export async function labelSpeakers(
  segments: readonly Segment[],
  voiced: readonly VoicedStretch[],
  breathe: Breathe,
): Promise<Segment[]> {
  const order: number[] = []
  const labelled: Segment[] = []
  let speaking: number | undefined
  for (const segment of segments) {
    await breathe()
    // A sound by itself is nobody's turn.
    if (segment.text === '') labelled.push(segment)
    for (const part of segment.text === '' ? [] : cutAtChanges(segment, voiced)) {
      const heard = majority(inside(part, voiced))
      // Too short for a stretch of its own: whoever spoke last goes on.
      speaking = heard?.voice ?? speaking
      // Named by the segments, which are what a reader sees: a stretch of noise before them is nobody.
      if (speaking !== undefined && !order.includes(speaking)) order.push(speaking)
      labelled.push(speaking === undefined ? part : { ...part, ...nameOf(speaking, order, heard?.confidence ?? 0) })
    }
  }
  return labelled
}

const nameOf = (voice: number, order: readonly number[], confidence: number) => ({
  speakerId: `speaker_${order.indexOf(voice) + 1}`,
  speakerConfidence: round(confidence),
})

type Span = { readonly startMs: number; readonly endMs: number }

/** The stretches that share time with a segment; `stretches` are in order, of which there may be many thousand. */
export function inside<T extends Span>({ startMs, endMs }: Span, stretches: readonly T[]): T[] {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.endMs ?? 0) <= startMs) low = middle + 1
    else high = middle
  }
  const found: T[] = []
  for (let at = low; at < stretches.length; at++) {
    const stretch = stretches[at]
    if (!stretch || stretch.startMs >= endMs) break
    if (stretch.endMs > startMs) found.push(stretch)
  }
  return found
}

function majority(stretches: readonly VoicedStretch[]) {
  const heard = new Map<number, { ms: number; sure: number }>()
  for (const { voice, voiceConfidence, speechMs } of stretches) {
    const so = heard.get(voice) ?? { ms: 0, sure: 0 }
    heard.set(voice, { ms: so.ms + speechMs, sure: so.sure + speechMs * voiceConfidence })
  }
  const total = stretches.reduce((sum, { speechMs }) => sum + speechMs, 0)
  const [first] = [...heard].toSorted(([, a], [, b]) => b.ms - a.ms)
  return first && { voice: first[0], confidence: first[1].sure / total }
}

type Turn = { readonly voice: number; readonly words: Word[] }

function cutAtChanges(segment: Segment, voiced: readonly VoicedStretch[]): Segment[] {
  const texts = segment.text.split(/\s+/).filter(Boolean)
  const own = inside(segment, voiced)
  const isOneVoice = new Set(own.map(({ voice }) => voice)).size < 2
  if (isOneVoice || segment.words.length !== texts.length) return [segment]
  const turns = lasting(turnsOf(segment.words, own))
  if (turns.length < 2) return [segment]
  let spoken = 0
  return turns.map(({ words }, i) => {
    const startMs = i === 0 ? segment.startMs : (words[0]?.startMs ?? segment.startMs)
    const endMs = i === turns.length - 1 ? segment.endMs : (words.at(-1)?.endMs ?? segment.endMs)
    const text = texts.slice(spoken, spoken + words.length).join(' ')
    spoken += words.length
    const isMine = (tag: { readonly startMs: number }) =>
      (i === 0 || tag.startMs >= startMs) &&
      (i === turns.length - 1 || tag.startMs < (turns[i + 1]?.words[0]?.startMs ?? endMs))
    return { ...segment, startMs, endMs, text, words, tags: segment.tags.filter(isMine) }
  })
}

function turnsOf(words: readonly Word[], voiced: readonly VoicedStretch[]): Turn[] {
  const turns: Turn[] = []
  for (const word of words) {
    const middle = (word.startMs + word.endMs) / 2
    const voice = voiced.findLast(({ startMs }) => startMs <= middle)?.voice ?? voiced[0]?.voice ?? 0
    const open = turns.at(-1)
    if (open?.voice === voice) open.words.push(word)
    else turns.push({ voice, words: [word] })
  }
  return turns
}

/** A turn too short to be one belongs to the one before it, or the first to the next. */
function lasting(turns: readonly Turn[]): Turn[] {
  const kept: Turn[] = []
  for (const turn of turns) {
    const last = kept.at(-1)
    const ms = (turn.words.at(-1)?.endMs ?? 0) - (turn.words[0]?.startMs ?? 0)
    if (last && (last.voice === turn.voice || ms < LEAST_TURN_MS)) last.words.push(...turn.words)
    else if (last && kept.length === 1 && lengthOf(last) < LEAST_TURN_MS)
      kept[0] = { voice: turn.voice, words: [...last.words, ...turn.words] }
    else kept.push({ voice: turn.voice, words: [...turn.words] })
  }
  return kept
}

const lengthOf = ({ words }: Turn): number => (words.at(-1)?.endMs ?? 0) - (words[0]?.startMs ?? 0)
const round = (share: number): number => Math.round(share * 100) / 100
