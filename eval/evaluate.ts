import { addErrors, countErrors, type Errors, NO_ERRORS, percentage, rates } from './error-rates.ts'
import { inventedWords, isRunaway, isTranslated, isUrduScript } from './find-faults.ts'
import { peakMemoryDuring } from './process-memory.ts'
import { type Clip, isSpeech, setOf } from './read-manifest.ts'
import type { Heard, System } from './system.ts'

/** Shorter clips are often too short to tell a language by. */
const JUDGED_SECONDS = 2

export type Outcome = Heard & { readonly clip: Clip; readonly seconds: number }

export type LanguageFigures = {
  readonly clips: number
  readonly words: number
  readonly wer: number
  readonly cer: number
}

export type Figures = {
  readonly languages: Readonly<Record<string, LanguageFigures>>
  /** By the folder the clips lie in. */
  readonly sets: Readonly<Record<string, LanguageFigures>>
  readonly language_decisions: { readonly clips: number; readonly right: number; readonly accuracy: number }
  readonly rtf: number
  readonly audio_seconds: number
  readonly peak_memory_mb: number
  /** Of the largest single process: the recogniser's. */
  readonly peak_process_mb: number
  readonly faults: {
    readonly urdu_script: number
    readonly translated: number
    readonly runaway: number
    readonly invented_words: number
    readonly failed: number
  }
}

export type Evaluation = { readonly figures: Figures; readonly outcomes: readonly Outcome[] }

export async function evaluate(
  system: System,
  clips: readonly Clip[],
  onClip: (outcome: Outcome, done: number) => void = () => undefined,
): Promise<Evaluation> {
  const { value: outcomes, peakMb } = await peakMemoryDuring(async () => {
    const all: Outcome[] = []
    for (const clip of clips) {
      const outcome = await hear(system, clip)
      all.push(outcome)
      onClip(outcome, all.length)
    }
    return all
  })
  return {
    outcomes,
    figures: { ...summarise(outcomes), peak_memory_mb: peakMb.together, peak_process_mb: peakMb.largest },
  }
}

const FAILED = '\u0000failed'

async function hear(system: System, clip: Clip): Promise<Outcome> {
  const startMs = performance.now()
  const heard = await system.transcribe(clip.path, clip.language).catch((error: unknown) => {
    console.error(`${clip.name}: ${error instanceof Error ? error.message : String(error)}`)
    return { text: '', language: FAILED }
  })
  return { ...heard, clip, seconds: (performance.now() - startMs) / 1_000 }
}

export function summarise(outcomes: readonly Outcome[]): Omit<Figures, 'peak_memory_mb' | 'peak_process_mb'> {
  const speech = outcomes.filter(({ clip }) => isSpeech(clip))
  const scored = speech.filter(({ clip }) => clip.transcript !== '')
  const silent = outcomes.filter(({ clip }) => !isSpeech(clip))
  const count = (holds: (outcome: Outcome) => boolean) => speech.filter(holds).length
  const audioSeconds = sum(speech.map(({ clip }) => clip.durationSeconds))
  return {
    languages: ratesBy(({ language }) => language, scored),
    sets: ratesBy(setOf, scored),
    language_decisions: judgeDecisions(speech),
    rtf: audioSeconds === 0 ? 0 : round(sum(speech.map(({ seconds }) => seconds)) / audioSeconds),
    audio_seconds: round(audioSeconds),
    faults: {
      urdu_script: count(({ text }) => isUrduScript(text)),
      translated: count(({ clip, text }) => isTranslated(clip.transcript, text, clip.language)),
      runaway: count(({ clip, text }) => isRunaway(clip.transcript, text)),
      invented_words: sum(silent.map(({ text }) => inventedWords(text))),
      failed: outcomes.filter(({ language }) => language === FAILED).length,
    },
  }
}

function ratesBy(keyOf: (clip: Clip) => string, scored: readonly Outcome[]): Record<string, LanguageFigures> {
  const keys = [...new Set(scored.map(({ clip }) => keyOf(clip)))].toSorted()
  return Object.fromEntries(
    keys.map((key) => {
      const own = scored.filter(({ clip }) => keyOf(clip) === key)
      const errors = errorsOf(own)
      return [key, { clips: own.length, words: errors.words, ...rates(errors) }]
    }),
  )
}

export const errorsOf = (outcomes: readonly Outcome[]): Errors =>
  outcomes.map(({ clip, text }) => countErrors(clip.transcript, text, clip.language)).reduce(addErrors, NO_ERRORS)

/** Mixed speech may be called by either of its languages. */
function judgeDecisions(speech: readonly Outcome[]) {
  const judged = speech.filter(({ clip, language }) => clip.durationSeconds > JUDGED_SECONDS && language !== FAILED)
  const right = judged.filter(({ clip, language }) => language !== null && clip.language.split('-').includes(language))
  return { clips: judged.length, right: right.length, accuracy: percentage(right.length, judged.length) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
export const round = (number: number): number => Math.round(number * 1_000) / 1_000
