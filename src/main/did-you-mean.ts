/** `; did you mean "serve"?`, or nothing where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = known.find((each) => distance(word, each) <= 2 || each.startsWith(word))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** Letters to change, add or drop to come from one word to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
