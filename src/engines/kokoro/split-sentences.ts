/**
 * Most characters of each piece of a sentence; the last counts for all that follow. The first is what the listener waits for in
 * silence, and while one is heard the next is made. None is long: who interrupts waits until the piece at hand is made.
 */
const MOST_CHARACTERS = [40, 56, 80]
/** A sentence that has no place to breathe may be longer by so much, before it is cut between two words. */
const SPARE_CHARACTERS = 20
const SHORTEST_PIECE = 6

/** Pieces in which a text is said, so that the first can be heard while the next is made. */
export function splitSentences(text: string): string[] {
  const sentences = text.match(/[^.!?।॥…\n]+(?:[.!?।॥…]+["'”’)]*|\n|$)/gu) ?? []
  const whole = joinNumbers(sentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  return whole.flatMap((sentence) => cut(sentence))
}

/** "3.5" and "a.b" have a full stop inside: what goes on without a space is one sentence. */
function joinNumbers(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.endsWith('.') && !/^\s/.test(part)) joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

function cut(sentence: string, nth = 0): string[] {
  const most = MOST_CHARACTERS[Math.min(nth, MOST_CHARACTERS.length - 1)] ?? 0
  if (sentence.length <= most) return [sentence]
  const at = breathAt(sentence, most) ?? (sentence.length > most + SPARE_CHARACTERS ? gapAt(sentence, most) : undefined)
  return at === undefined ? [sentence] : [sentence.slice(0, at).trim(), ...cut(sentence.slice(at).trim(), nth + 1)]
}

/** Between two words; inside one only if it is longer than a piece may be. */
function gapAt(sentence: string, most: number): number {
  const space = sentence.slice(0, most).lastIndexOf(' ')
  return space > 0 ? space : most
}

/** Where a speaker would take breath, as late as `most` allows: after a comma, else before a word that joins clauses. */
function breathAt(sentence: string, most: number): number | undefined {
  const rest = sentence.length - SHORTEST_PIECE
  const isFit = (at: number) => at >= SHORTEST_PIECE && at <= most && at <= rest
  const after = [...sentence.matchAll(/[,;:—–]\s/gu)].map(({ index }) => index + 1).filter(isFit)
  const before = [...sentence.matchAll(/\s(?:and|but|or|because|और|लेकिन|या|क्योंकि|மற்றும்|ஆனால்)\s/gu)]
  return (
    after.at(-1) ??
    before
      .map(({ index }) => index)
      .filter(isFit)
      .at(-1)
  )
}
