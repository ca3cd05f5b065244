/**
 * Changes a text that comes in pieces. What `push` and `end` give, joined, does not depend on where the pieces were cut;
 * what cannot be judged yet is held back until more of it is known.
 */
export type TextFilter = { push(text: string): string; end(): string }

/** The whole text at once. */
export function filterText(filter: TextFilter, text: string): string {
  return filter.push(text) + filter.end()
}
