import { contentWords, isSameWord } from './heard-words.ts'

/** Sentences that tell the assistant how to behave are no answers. */
const ORDER =
  /^(?:you|your|always|never|do not|don't|be|answer|reply|respond|speak|use|keep|if|when|act|greet|please|say|help|avoid|start|ask|only|must)\b|^(?:आप|हमेशा|कभी|केवल|कृपया|अगर|जब)(?:\s|$)/iu
const SAY_THIS =
  /\b(?:say|reply|respond|answer|greet\b[^"'“‘.]*)(?:\s+(?:with|only|exactly|just|the words?|by saying))*\s*:?\s*["“‘'](?<words>[^"”’]+?)["”’'](?=\s|[.!,]|$)/iu
const ENOUGH = 0.5

/** The words the instructions put into the assistant's mouth, if they do: `Say exactly "..."`. */
export const toldToSay = (instructions: string): string | undefined => SAY_THIS.exec(instructions)?.groups?.words

/** The sentence of the instructions that answers the question: the one that has most of the question's own words. */
export function answerFromInstructions(question: string, instructions: string): string | undefined {
  const asked = [...new Set(contentWords(question))]
  if (asked.length === 0) return undefined
  const scored = sentencesOf(instructions).map((sentence) => {
    const words = contentWords(sentence)
    return {
      sentence,
      score: asked.filter((word) => words.some((other) => isSameWord(word, other))).length / asked.length,
    }
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score >= ENOUGH ? best.sentence : undefined
}

const sentencesOf = (instructions: string): string[] =>
  instructions
    .split(/\n+|(?<=[.!?।])\s+/u)
    .map((sentence) => sentence.replace(/^[\s#*>-]+/, '').trim())
    .filter((sentence) => sentence !== '' && !ORDER.test(sentence) && !sentence.endsWith('?'))
