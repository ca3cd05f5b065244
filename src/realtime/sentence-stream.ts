import type { TextFilter } from '../speech/text-filter.ts'

/** A sentence ends with its mark and what follows is a space; a line ends where it ends. */
const SENTENCE_END = /[.!?…]+["'”’)]*\s+|[।॥]+\s*|\n+\s*/gu
/** "Dr. Rao" and "No. 5" are not two sentences. */
const ABBREVIATION = /(^|\s)(Dr|Mr|Mrs|Ms|St|No|Rs|vs|etc)\.\s*$/u
/** Longer than this, a clause is spoken by itself: its listener waits. */
const LONG = 160
const CLAUSE_END = /[,;:—–]\s+/gu

/** Text that comes in pieces, cut where a speaker would take breath. The cuts joined are the text. */
export class SentenceStream {
  #held = ''

  push(text: string): string[] {
    this.#held += text
    const cuts: string[] = []
    for (let at = firstCut(this.#held); at > 0; at = firstCut(this.#held)) {
      cuts.push(this.#held.slice(0, at))
      this.#held = this.#held.slice(at)
    }
    return cuts
  }

  end(): string[] {
    const rest = this.#held
    this.#held = ''
    return rest === '' ? [] : [rest]
  }
}

/** Runs text through a filter and cuts what comes out. */
export function speakablePieces(filter: TextFilter, sentences: SentenceStream) {
  return {
    push: (text: string): string[] => sentences.push(filter.push(text)),
    end: (): string[] => [...sentences.push(filter.end()), ...sentences.end()],
  }
}

function firstCut(text: string): number {
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) {
    const end = index + mark.length
    if (/[\p{L}\p{N}]/u.test(text.slice(0, index)) && !ABBREVIATION.test(text.slice(0, end))) return end
  }
  if (text.length < LONG) return 0
  const clauses = [...text.matchAll(CLAUSE_END)].map(({ index, 0: mark }) => index + mark.length)
  return clauses.find((end) => end > LONG / 4) ?? 0
}
