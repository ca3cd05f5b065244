import type { Word } from '../../speech/transcript.ts'
import { isSilent, LEVEL_STEP_MS, type SoundLevels, trimToSound } from './sound-levels.ts'

/** How far, in steps, a word may be from the length its letters promise. */
const REACH = 60
/** How far, in sounding steps, a boundary may be from where the letters before it promise. */
const DRIFT = 120
/** What a loud step costs as a boundary, against a word twice as long as it should be. */
const LOUDNESS_COST = 0.8
/** Lengths are compared as if so many steps longer: a step more or less is nothing to a short word. */
const EASE = 2
/** A word costs this many letters however short it is. */
const WORD_LETTERS = 1.5

/**
 * Times of words for an engine that gives none: boundaries where the sound is weak, words about as long as their letters
 * are many, silence not counted. The best compromise over the whole text.
 */
export function alignByEnergy(text: string, sound: SoundLevels, startMs: number, endMs: number): Word[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return []
  const levels = sound.levels.subarray(Math.floor(startMs / LEVEL_STEP_MS), Math.ceil(endMs / LEVEL_STEP_MS))
  const ends = placeEnds(words, levels)
  const atMs = (step: number) => Math.min(endMs, startMs + step * LEVEL_STEP_MS)
  const timed = words.map((word, i) => ({ text: word, startMs: atMs(ends[i - 1] ?? 0), endMs: atMs(ends[i] ?? 0) }))
  return trimToSound(timed, sound, startMs, endMs)
}

/** For each word the step at which it ends. */
function placeEnds(words: readonly string[], levels: Float32Array): number[] {
  const sounded = soundedBefore(levels)
  const total = sounded.at(-1) ?? 0
  const weights = words.map((word) => lettersOf(word) + WORD_LETTERS)
  const perLetter = total / weights.reduce((sum, weight) => sum + weight, 0)
  const expected = weights.map((weight) => Math.max(1, weight * perLetter))
  let promised = 0
  let costs = new Float64Array(levels.length + 1).fill(Number.POSITIVE_INFINITY)
  costs[0] = 0
  const froms = expected.map((length, at) => {
    promised += length
    const step = endWord({ costs, levels, sounded, expected: length, promised, isLast: at === words.length - 1 })
    costs = step.costs
    return step.from
  })
  return trace(froms, levels.length)
}

type Row = {
  readonly costs: Float64Array
  readonly levels: Float32Array
  readonly sounded: Int32Array
  readonly expected: number
  /** How much has sounded when the word should end. */
  readonly promised: number
  readonly isLast: boolean
}

/** The cheapest way to end this word at each step, and where it then begins. */
function endWord({ costs, levels, sounded, expected, promised, isLast }: Row) {
  const now = new Float64Array(costs.length).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(costs.length)
  const longest = 3 * expected + REACH
  for (let end = isLast ? levels.length : 0; end < costs.length; end++) {
    if (!isLast && Math.abs((sounded[end] ?? 0) - promised) > DRIFT) continue
    for (let begin = end; begin >= 0; begin--) {
      const length = (sounded[end] ?? 0) - (sounded[begin] ?? 0)
      if (length > longest) break
      const before = costs[begin] ?? Number.POSITIVE_INFINITY
      const cost = before + Math.log((length + EASE) / (expected + EASE)) ** 2
      if (cost < (now[end] ?? 0)) {
        now[end] = cost
        from[end] = begin
      }
    }
    if (!isLast) now[end] = (now[end] ?? 0) + LOUDNESS_COST * (levels[end] ?? 0) ** 2
  }
  return { costs: now, from }
}

function trace(froms: readonly Int32Array[], end: number): number[] {
  const ends = new Array<number>(froms.length).fill(0)
  let at = end
  for (let word = froms.length - 1; word >= 0; word--) {
    ends[word] = at
    at = froms[word]?.[at] ?? 0
  }
  return ends
}

function soundedBefore(levels: Float32Array): Int32Array {
  const sounded = new Int32Array(levels.length + 1)
  for (let step = 0; step < levels.length; step++) {
    sounded[step + 1] = (sounded[step] ?? 0) + (isSilent(levels[step]) ? 0 : 1)
  }
  return sounded
}

/** Vowel signs are spoken as the letters they stand on; punctuation is not spoken. */
const lettersOf = (word: string): number => word.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0
