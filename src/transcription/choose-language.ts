import type { Language, LanguageScores } from '../speech/language.ts'

/** A chunk with the languages it may be in and how long its speech lasts. */
export type HeardChunk = { readonly scores: LanguageScores; readonly speechMs: number }

/** Speech this long is judged almost by itself; the less there is, the more its neighbours count. */
const SURE_AFTER_MS = 4000
const NEIGHBOUR_WEIGHT = 0.6

/**
 * Leans an unsure chunk on the chunks before and after it: a two-second "haan ok" between Hindi sentences is Hindi.
 * Scores are mixed as logarithms, so that a neighbour which is certain outweighs one that is not.
 */
export function smoothScores(chunk: HeardChunk, neighbours: readonly HeardChunk[]): LanguageScores {
  const share = Math.min(1, chunk.speechMs / SURE_AFTER_MS)
  const weight = neighbours.length === 0 ? 0 : (NEIGHBOUR_WEIGHT * (1 - share)) / neighbours.length
  const mixed = Object.entries(chunk.scores).map(([language, score]) => {
    const pull = neighbours.reduce((sum, { scores }) => sum + weight * logOf(scores[language] ?? 0), 0)
    return [language, Math.exp(logOf(score) + pull)] as const
  })
  return normalise(mixed)
}

/**
 * English is chosen only when it is heard beyond doubt: the Hindi recogniser writes mixed speech and English too, the
 * English one makes nonsense of Hindi. Of 51 English clips Whisper-tiny was less certain of none, "five five" included;
 * of 160 Hindi ones the likest to English scored 0.88.
 */
const MIN_ENGLISH = 0.9

/** Leads by less, or English by less, are worth a second, thorough hearing: short English looks like Hindi in the quick one. */
const SURE = 0.85
const SURE_OF_ENGLISH = 0.92

export function isDoubtful(scores: LanguageScores): boolean {
  const [language, score] = Object.entries(scores).reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])
  return score < (language === 'en' ? SURE_OF_ENGLISH : SURE)
}

export function chooseLanguage(scores: LanguageScores): Language {
  const ranked = Object.entries(scores).toSorted(([, a], [, b]) => b - a)
  const [first, second] = ranked
  if (!first) throw new RangeError('no language to choose from')
  if (first[0] === 'en' && second && first[1] < MIN_ENGLISH) return second[0]
  return first[0]
}

const logOf = (score: number): number => Math.log(Math.max(score, 1e-4))

function normalise(entries: readonly (readonly [Language, number])[]): LanguageScores {
  const sum = entries.reduce((total, [, score]) => total + score, 0)
  return Object.fromEntries(entries.map(([language, score]) => [language, score / sum]))
}
