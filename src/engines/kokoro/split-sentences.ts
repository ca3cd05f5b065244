/** Beyond this many characters a sentence is cut: a listener waits for the whole of a piece, and so does who interrupts it. */
const MOST_CHARACTERS = 160
/** The first piece is what the listener waits for in silence. */
const FIRST_CHARACTERS = 40
const SHORTEST_PIECE = 12

/** Pieces in which a text is said, so that the first can be heard while the next is made. */
export function splitSentences(text: string): string[] {
  const sentences = text.match(/[^.!?।॥…\n]+(?:[.!?।॥…]+["'”’)]*|\n|$)/gu) ?? []
  const whole = joinNumbers(sentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  return whole.flatMap((sentence, at) => (at === 0 ? cutFirst(sentence) : cutLong(sentence)))
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

function cutFirst(sentence: string): string[] {
  if (sentence.length <= FIRST_CHARACTERS) return [sentence]
  const at = breathAt(sentence, FIRST_CHARACTERS)
  return at === undefined ? cutLong(sentence) : [sentence.slice(0, at).trim(), ...cutLong(sentence.slice(at).trim())]
}

function cutLong(sentence: string): string[] {
  if (sentence.length <= MOST_CHARACTERS) return [sentence]
  const space = sentence.slice(0, MOST_CHARACTERS).lastIndexOf(' ')
  const at = breathAt(sentence, MOST_CHARACTERS) ?? (space > 0 ? space : MOST_CHARACTERS)
  return [sentence.slice(0, at).trim(), ...cutLong(sentence.slice(at).trim())]
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
