import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { ConversationTurn, ReplyRequest, Tool } from '../../speech/language-model.ts'

/** A conversation in the form of chat servers: calls made together are one message, and nothing said is left empty. */
export function chatMessages({ instructions, turns }: ReplyRequest): ChatCompletionMessageParam[] {
  const system = instructions.trim() === '' ? [] : [{ role: 'system' as const, content: instructions }]
  const messages: ChatCompletionMessageParam[] = [...system]
  for (const turn of answeredTurns(turns)) {
    const last = messages.at(-1)
    if (turn.by === 'call' && last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), toolCall(turn)]
    else messages.push(message(turn))
  }
  return messages
}

/** Servers refuse a call without its result and a result without its call; an interrupted turn may leave either. */
function answeredTurns(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const idsOf = (by: 'call' | 'result') => new Set(turns.flatMap((turn) => (turn.by === by ? [turn.callId] : [])))
  const [called, answered] = [idsOf('call'), idsOf('result')]
  return turns.filter((turn) => {
    if (turn.by === 'call') return answered.has(turn.callId)
    return turn.by === 'result' ? called.has(turn.callId) : turn.text.trim() !== ''
  })
}

type Call = Extract<ConversationTurn, { by: 'call' }>

const toolCall = ({ callId, name, argumentsJson }: Call) => ({
  id: callId,
  type: 'function' as const,
  function: { name, arguments: argumentsJson },
})

function message(turn: ConversationTurn): ChatCompletionMessageParam {
  switch (turn.by) {
    case 'system':
      return { role: 'system', content: turn.text }
    case 'caller':
      return { role: 'user', content: turn.text }
    case 'assistant':
      return { role: 'assistant', content: turn.text }
    case 'call':
      return { role: 'assistant', content: null, tool_calls: [toolCall(turn)] }
    case 'result':
      return { role: 'tool', tool_call_id: turn.callId, content: turn.output }
  }
}

export const chatTool = ({ name, description, parameters }: Tool): ChatCompletionTool => ({
  type: 'function',
  function: {
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  },
})
