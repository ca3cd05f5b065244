import type { ChatHistoryItem, FunctionCall } from 'node-llama-cpp'
import type { ConversationTurn, ReplyRequest } from '../../speech/language-model.ts'

/** A conversation in llama.cpp's form: a call stands with its result inside what the model said, and what is to be said comes last. */
export function ggufHistory({ instructions, turns }: ReplyRequest): ChatHistoryItem[] {
  const system = instructions.trim() === '' ? [] : [{ type: 'system' as const, text: instructions }]
  const history: ChatHistoryItem[] = [...system]
  for (const turn of turns) {
    if (turn.by === 'system') history.push({ type: 'system', text: turn.text })
    if (turn.by === 'caller') history.push({ type: 'user', text: turn.text })
    if (turn.by === 'assistant') modelItem(history).push(turn.text)
    const call = turn.by === 'call' ? answeredCall(turn, turns) : undefined
    if (call) modelItem(history).push(call)
  }
  modelItem(history)
  return history
}

function modelItem(history: ChatHistoryItem[]): (string | FunctionCall)[] {
  const last = history.at(-1)
  if (last?.type === 'model') return last.response
  const response: (string | FunctionCall)[] = []
  history.push({ type: 'model', response })
  return response
}

function answeredCall(
  call: Extract<ConversationTurn, { by: 'call' }>,
  turns: readonly ConversationTurn[],
): FunctionCall | undefined {
  const result = turns.find((turn) => turn.by === 'result' && turn.callId === call.callId)
  if (result?.by !== 'result') return undefined
  return { type: 'functionCall', name: call.name, params: parsed(call.argumentsJson), result: parsed(result.output) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
