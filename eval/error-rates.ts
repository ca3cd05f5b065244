import { normaliseText } from './normalise-text.ts'

export type Errors = {
  readonly words: number
  readonly wordErrors: number
  readonly characters: number
  readonly characterErrors: number
}

export const NO_ERRORS: Errors = { words: 0, wordErrors: 0, characters: 0, characterErrors: 0 }

/** Insertions, deletions and substitutions between what was said and what was written, after normalising both. */
export function countErrors(reference: string, heard: string, language: string): Errors {
  const [said, written] = [normaliseText(reference, language), normaliseText(heard, language)]
  const [saidWords, writtenWords] = [words(said), words(written)]
  return {
    words: saidWords.length,
    wordErrors: editDistance(saidWords, writtenWords),
    characters: [...said].length,
    characterErrors: editDistance([...said], [...written]),
  }
}

export const words = (normalised: string): string[] => (normalised === '' ? [] : normalised.split(' '))

export const addErrors = (a: Errors, b: Errors): Errors => ({
  words: a.words + b.words,
  wordErrors: a.wordErrors + b.wordErrors,
  characters: a.characters + b.characters,
  characterErrors: a.characterErrors + b.characterErrors,
})

/** Percentages over all clips together, so that a long clip weighs more than a short one. */
export const rates = ({ words, wordErrors, characters, characterErrors }: Errors): { wer: number; cer: number } => ({
  wer: percentage(wordErrors, words),
  cer: percentage(characterErrors, characters),
})

export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

export function editDistance(from: readonly string[], to: readonly string[]): number {
  let previous = Uint32Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, symbol] of from.entries()) {
    const current = new Uint32Array(to.length + 1)
    current[0] = row + 1
    for (let column = 1; column <= to.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (symbol === to[column - 1] ? 0 : 1)
      const insertion = (current[column - 1] ?? 0) + 1
      const deletion = (previous[column] ?? 0) + 1
      current[column] = Math.min(substitution, insertion, deletion)
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
