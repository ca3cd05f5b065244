const LONGEST_PERIOD = 60
const FEWEST_REPEATS = 4
/** People do say a word three or four times; a model that is stuck says it for ever. */
const FEWEST_LOOPED_TOKENS = 30

/** Tokens at the end that only repeat what stands before them; 0 when the end is no loop. */
export function findLoop(tokens: readonly number[]): number {
  for (let period = 1; period <= LONGEST_PERIOD && period * FEWEST_REPEATS <= tokens.length; period++) {
    const looped = repeatedTail(tokens, period)
    if (looped >= Math.max(FEWEST_LOOPED_TOKENS, period * FEWEST_REPEATS)) return looped - period
  }
  return 0
}

/** Length of the longest tail that has this period. */
function repeatedTail(tokens: readonly number[], period: number): number {
  let at = tokens.length - 1 - period
  while (at >= 0 && tokens[at] === tokens[at + period]) at--
  return tokens.length - 1 - at
}
