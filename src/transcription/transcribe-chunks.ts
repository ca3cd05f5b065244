import { sleepersOf } from '../speech/keep-awake.ts'
import type { Language, LanguageScores } from '../speech/language.ts'
import {
  CARES,
  type Care,
  type ChunkRequest,
  type ChunkTranscriber,
  type LanguageIdentifier,
  type Outcome,
  type Recognition,
  SAMPLE_RATE_HZ,
  type SpeechRecognizer,
} from '../speech/ports.ts'
import type { ChunkTranscript, Segment } from '../speech/transcript.ts'
import { chooseLanguage, isDoubtful } from './choose-language.ts'
import { foldRepeats } from './fold-repeats.ts'
import { shiftSegment } from './shift-segment.ts'
import { splitInQuiet } from './split-in-quiet.ts'
import { tidyText } from './tidy-text.ts'

export type ChunkTranscriberParts = {
  readonly identifier: LanguageIdentifier
  /** The recogniser of each language that has one of its own. */
  readonly specialists: Readonly<Record<Language, SpeechRecognizer>>
  /** Takes every other language, and what a specialist could not make out. */
  readonly generalist: SpeechRecognizer
}

/** Slow speech has eight letters a second; a clip with fewer has lost some of them. */
const THIN_LETTERS = 6
const THIN_FROM_SECONDS = 4
const THIN_GAIN = 1.25

/** A request whose language is settled. */
type Settled = { readonly request: ChunkRequest; readonly language: Language; readonly scores: LanguageScores }

/**
 * Decides each chunk's language, hands it to the recogniser of that language, and asks again where a specialist
 * heard nothing: a chunk holds speech, or it would not have been cut out. First in two halves, since a specialist
 * for short clips can fall silent on a long one; then by the generalist.
 */
export function createChunkTranscriber({
  identifier,
  specialists,
  generalist,
}: ChunkTranscriberParts): ChunkTranscriber {
  const parts = [identifier, ...Object.values(specialists), generalist]

  async function answer(settled: Settled, first: Outcome<Recognition>, by: SpeechRecognizer, signal?: AbortSignal) {
    if (!first.ok) return first
    if (by === generalist) return transcribed(await fuller(settled, first.value, signal), settled, by)
    if (hasText(first.value)) return transcribed(first.value, settled, by)
    const halves = await recogniseHalves(settled, by, signal)
    if (halves.ok && hasText(halves.value)) return transcribed(halves.value, settled, by)
    const again = await recogniseOne(settled, generalist, signal)
    return again.ok ? transcribed(again.value, settled, generalist) : again
  }

  /** A text too short for its speech was broken off: the halves are asked, and believed where they say more. */
  async function fuller(settled: Settled, heard: Recognition, signal?: AbortSignal): Promise<Recognition> {
    const seconds = settled.request.samples.length / SAMPLE_RATE_HZ
    if (seconds < THIN_FROM_SECONDS || !hasText(heard) || lettersOf(heard) >= THIN_LETTERS * seconds) return heard
    const halves = await recogniseHalves(settled, generalist, signal)
    return halves.ok && lettersOf(halves.value) > THIN_GAIN * lettersOf(heard) ? halves.value : heard
  }

  async function transcribeSpeech(requests: readonly ChunkRequest[], signal?: AbortSignal) {
    const settled = await settle(identifier, requests, signal)
    const engineOf = ({ language }: Settled) => specialists[language] ?? generalist
    const groups = [...new Set(settled.map(engineOf))].map((engine) => ({
      engine,
      members: settled.filter((each) => engineOf(each) === engine),
    }))
    const firsts = new Map<Settled, Outcome<Recognition>>()
    await Promise.all(
      groups.map(async ({ engine, members }) => {
        const outcomes = await recogniseAll(members, engine, signal)
        for (const [at, member] of members.entries()) firsts.set(member, outcomes[at] ?? missing(engine))
      }),
    )
    return Promise.all(
      settled.map((each) => answer(each, firsts.get(each) ?? missing(engineOf(each)), engineOf(each), signal)),
    )
  }

  return {
    async transcribe(requests, signal) {
      const spoken = requests.filter(isSpoken)
      const answers = (spoken.length > 0 ? await transcribeSpeech(spoken, signal) : []).values()
      return requests.map((request) =>
        isSpoken(request) ? (answers.next().value ?? missing(generalist)) : { ok: true, value: wordless(request) },
      )
    },
    sleepers: sleepersOf(parts),
    async close() {
      await Promise.all(parts.map((part) => part.close()))
    },
  }
}

/** Where no language was heard nobody speaks: words written there would be invented. */
const isSpoken = ({ languageScores }: ChunkRequest): boolean =>
  languageScores === undefined || Object.keys(languageScores).length > 0

const wordless = ({ language, languages }: ChunkRequest): ChunkTranscript => ({
  language: language ?? languages[0] ?? 'en',
  languageScores: {},
  segments: [],
  engine: 'none',
})

async function settle(identifier: LanguageIdentifier, requests: readonly ChunkRequest[], signal?: AbortSignal) {
  const known = requests.map((request) => certainty(request) ?? request.languageScores)
  const unheard = requests.filter((_, at) => known[at] === undefined)
  const heard = unheard.length === 0 ? [] : await hearCarefully(identifier, unheard, signal)
  return requests.map((request, at): Settled => {
    const scores = known[at] ?? heard[unheard.indexOf(request)] ?? {}
    return { request, scores, language: request.language ?? chooseLanguage(scores) }
  })
}

async function hearCarefully(identifier: LanguageIdentifier, requests: readonly ChunkRequest[], signal?: AbortSignal) {
  const languages = requests[0]?.languages ?? []
  const how = { signal, isLive: requests.some((request) => request.isLive) }
  const hear = (some: readonly ChunkRequest[], care: Care) =>
    identifier.identify(
      some.map(({ samples }) => samples),
      languages,
      { ...how, care },
    )
  const heard = new Map<ChunkRequest, LanguageScores>()
  for (const care of CARES) {
    const doubtful = requests.filter((request) => isDoubtful(heard.get(request) ?? {}))
    if (doubtful.length === 0) break
    const scores = await hear(doubtful, care)
    for (const [at, request] of doubtful.entries()) heard.set(request, scores[at] ?? {})
  }
  return requests.map((request) => heard.get(request) ?? {})
}

/** The caller said which language it is, or allows only one. */
function certainty({ language, languages }: ChunkRequest): LanguageScores | undefined {
  const only = language ?? (languages.length === 1 ? languages[0] : undefined)
  return only === undefined ? undefined : { [only]: 1 }
}

/** A recogniser that fails as a whole fails each of its chunks, and none of another recogniser's. */
async function recogniseAll(settled: readonly Settled[], by: SpeechRecognizer, signal?: AbortSignal) {
  const requests = settled.map(({ request: { samples, isLive = false }, language }) => ({ samples, language, isLive }))
  try {
    return await by.recognize(requests, signal)
  } catch (error) {
    return settled.map((): Outcome<Recognition> => ({ ok: false, error: toError(error) }))
  }
}

async function recogniseOne(
  settled: Settled,
  by: SpeechRecognizer,
  signal?: AbortSignal,
): Promise<Outcome<Recognition>> {
  const [outcome] = await recogniseAll([settled], by, signal)
  return outcome ?? missing(by)
}

async function recogniseHalves(
  settled: Settled,
  by: SpeechRecognizer,
  signal?: AbortSignal,
): Promise<Outcome<Recognition>> {
  const [head, tail] = splitInQuiet(settled.request.samples)
  const halves = [head, tail].map((samples) => ({ ...settled, request: { ...settled.request, samples } }))
  const [first, second] = await recogniseAll(halves, by, signal)
  if (!first?.ok || !second?.ok) return first?.ok ? (second ?? missing(by)) : (first ?? missing(by))
  const cutMs = (head.length / SAMPLE_RATE_HZ) * 1000
  const later = second.value.segments.map((segment) => shiftSegment(segment, cutMs))
  return { ok: true, value: { segments: [...first.value.segments, ...later] } }
}

const missing = (by: SpeechRecognizer): Outcome<never> => ({ ok: false, error: new Error(`${by.name} gave no answer`) })
const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
const lettersOf = ({ segments }: Recognition): number => segments.reduce((sum, { text }) => sum + text.length, 0)
const hasText = ({ segments }: Recognition): boolean => segments.some(({ text }) => text.trim() !== '')

function transcribed(
  { segments }: Recognition,
  { language, scores }: Settled,
  by: SpeechRecognizer,
): Outcome<ChunkTranscript> {
  const tidy = segments.map((segment): Segment => {
    const text = foldRepeats(segment.text, (segment.endMs - segment.startMs) / 1000)
    // Times of words that are no longer there would point at nothing.
    const words = text === segment.text ? segment.words : []
    return { ...segment, words, text: tidyText(text, segment.language) }
  })
  const spoken = tidy.filter(({ text, tags }) => text !== '' || tags.length > 0)
  return { ok: true, value: { language, languageScores: scores, segments: spoken, engine: by.name } }
}
