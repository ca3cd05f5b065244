/** What went wrong, down to the first cause: the last one says most to who must mend it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner === undefined) return error.message
  return error.message === '' ? reasonOf(inner) : `${error.message}: ${reasonOf(inner)}`
}
