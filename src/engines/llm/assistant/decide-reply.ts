import type { ConversationTurn, ReplyRequest, Tool } from '../../../speech/language-model.ts'
import { answerFromInstructions, toldToSay } from './answer-from-instructions.ts'
import { fillParameters, propertiesOf } from './fill-parameters.ts'
import { contentWords, heardWords } from './heard-words.ts'
import { bestTool, matchTool, wordsOfName } from './match-tool.ts'
import { type AssistantLanguage, callerLanguage, labelOf, PHRASES } from './phrases.ts'
import { readResult } from './read-result.ts'

export type Decision =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly values: Readonly<Record<string, unknown>> }

const GREETING =
  /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|namaste|namaskar|नमस्ते|नमस्कार|वणक्कम|வணக்கம்|vanakkam|हैलो|हेलो|हाय)(?=\s|[.,!।]|$)/iu
const THANKS = /^(?:thanks|thank you|shukriya|dhanyavaad|धन्यवाद|शुक्रिया|थैंक यू|நன்றி)(?=\s|[.,!।]|$)/iu
const FAREWELL = /^(?:bye|goodbye|good night|alvida|अलविदा|बाय)(?=\s|[.,!।]|$)/iu

/** What rules make of a conversation. A result is read out even where calls are required: the caller has said nothing new. */
export function decideReply(request: ReplyRequest, now: Date): Decision {
  const { turns, instructions } = request
  const last = turns.findLast((turn) => turn.by === 'caller' || turn.by === 'result')
  const said = textOf(turns.findLast((turn) => turn.by === 'caller'))
  const language = callerLanguage(said === '' ? instructions.slice(0, 200) : said, request.language)
  if (last?.by === 'result') return { kind: 'say', text: readResult(last.output, language) }
  return decideCall(request, said, language, now) ?? { kind: 'say', text: answer(said, instructions, language) }
}

function decideCall(request: ReplyRequest, said: string, language: AssistantLanguage, now: Date): Decision | undefined {
  const { tools, toolChoice } = request
  if (toolChoice === 'none' || tools.length === 0) return undefined
  const question = openQuestion(request)
  const isForced = toolChoice !== 'auto'
  const named = typeof toolChoice === 'object' ? tools.find(({ name }) => name === toolChoice.name) : undefined
  const tool = named ?? question?.tool ?? (isForced ? bestTool(said, tools)?.tool : matchTool(said, tools))
  if (!tool) return undefined
  const goesOn = question?.tool === tool ? question : { text: said, answers: {} }
  const { values, missing } = fillParameters(tool, { text: goesOn.text, answers: goesOn.answers, now })
  const [first] = missing
  if (first === undefined || isForced) return { kind: 'call', name: tool.name, values }
  return { kind: 'say', text: questionFor(tool, first, language) }
}

type OpenQuestion = { readonly tool: Tool; readonly text: string; readonly answers: Readonly<Record<string, string>> }

/** What the assistant itself asked last, and what was said since it began asking, known by its own words: it keeps nothing between replies. */
function openQuestion({ turns, tools }: ReplyRequest): OpenQuestion | undefined {
  const spoken = turns.filter((turn) => turn.by === 'caller' || turn.by === 'assistant')
  const questions = tools.flatMap((tool) => questionsOf(tool))
  const askedBy = (turn: ConversationTurn | undefined) =>
    turn?.by === 'assistant' ? questions.find(({ text }) => turn.text.trim() === text) : undefined
  const tool = askedBy(spoken.at(-2))?.tool
  if (!tool) return undefined
  const answers: Record<string, string> = {}
  let from = spoken.length - 2
  for (let asked = askedBy(spoken[from]); asked?.tool === tool; asked = askedBy(spoken[from])) {
    answers[asked.parameter] = textOf(spoken[from + 1])
    from -= 2
  }
  const said = spoken.slice(Math.max(0, from + 1)).filter(({ by }) => by === 'caller')
  return { tool, answers, text: said.map(textOf).join(' ') }
}

const questionsOf = (tool: Tool) =>
  Object.keys(propertiesOf(tool.parameters ?? {})).flatMap((parameter) =>
    (['hi', 'en', 'ta'] as const).map((each) => ({ tool, parameter, text: questionFor(tool, parameter, each) })),
  )

function questionFor(tool: Tool, parameter: string, language: AssistantLanguage): string {
  const { description } = propertiesOf(tool.parameters ?? {})[parameter] ?? {}
  const label = labelOf(wordsOfName(parameter), language)
  const isShort = language === 'en' && typeof description === 'string' && description.length <= 40
  return PHRASES[language].ask(isShort ? description.replace(/^(?:the|a|an)\s+|\.$/gi, '').toLowerCase() : label)
}

function answer(said: string, instructions: string, language: AssistantLanguage): string {
  const phrases = PHRASES[language]
  const told = toldToSay(instructions)
  if (told !== undefined) return told
  if (said === '' || (GREETING.test(said) && isShort(said))) return phrases.greeting
  if (THANKS.test(said)) return phrases.thanks
  if (FAREWELL.test(said)) return phrases.farewell
  return answerFromInstructions(said.replace(GREETING, ''), instructions) ?? phrases.heard(said)
}

const isShort = (text: string): boolean => heardWords(text).length <= 4 && contentWords(text).length <= 2
const textOf = (turn: ConversationTurn | undefined): string => (turn && 'text' in turn ? turn.text.trim() : '')
