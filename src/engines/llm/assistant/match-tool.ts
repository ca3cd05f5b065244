import type { Tool } from '../../../speech/language-model.ts'
import { contentWords, isSameWord } from './heard-words.ts'

const NAME_WEIGHT = 2
/** One word of the name, or two of the description. */
const FITS_FROM = 2

/** The tool that the words are about, if one is. */
export function matchTool(text: string, tools: readonly Tool[]): Tool | undefined {
  const best = bestTool(text, tools)
  return best && best.score >= FITS_FROM ? best.tool : undefined
}

/** The tool that fits best, however little. */
export function bestTool(text: string, tools: readonly Tool[]): { tool: Tool; score: number } | undefined {
  const said = contentWords(text)
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, said) }))
  return scored.toSorted((a, b) => b.score - a.score)[0]
}

function scoreOf({ name, description = '' }: Tool, said: readonly string[]): number {
  const named = contentWords(wordsOfName(name))
  const described = contentWords(description).filter((word) => !named.some((other) => isSameWord(word, other)))
  const count = (words: readonly string[]) =>
    said.filter((word) => words.some((other) => isSameWord(word, other))).length
  return NAME_WEIGHT * count(named) + count(described)
}

/** `getWeather`, `get_weather` and `get-weather` are the same words. */
export const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
