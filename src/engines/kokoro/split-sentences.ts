/** Beyond this many characters a sentence is cut at a comma or a space: the network takes 500 symbols at once. */
const MAX_CHARACTERS = 220

/** Sentence by sentence, so that the first can be heard while the next is made. */
export function splitSentences(text: string): string[] {
  const sentences = text.match(/[^.!?।॥…\n]+(?:[.!?।॥…]+|\n|$)/gu) ?? []
  return joinAbbreviations(sentences)
    .flatMap((sentence) => cutLong(sentence.trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** "3.5" and "Dr. Rao" have a full stop inside: what goes on without a space, or after one short word, is one sentence. */
function joinAbbreviations(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const goesOn = last?.endsWith('.') && (!/^\s/.test(part) || /(^|\s)(Dr|Mr|Mrs|Ms|St|No)\.$/.test(last))
    if (goesOn) joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}

function cutLong(sentence: string): string[] {
  if (sentence.length <= MAX_CHARACTERS) return [sentence]
  const head = sentence.slice(0, MAX_CHARACTERS)
  const comma = Math.max(head.lastIndexOf(', '), head.lastIndexOf('; '), head.lastIndexOf(' — '))
  const space = head.lastIndexOf(' ')
  const at = comma > MAX_CHARACTERS / 3 ? comma + 1 : space > 0 ? space : MAX_CHARACTERS
  return [sentence.slice(0, at).trim(), ...cutLong(sentence.slice(at).trim())]
}
