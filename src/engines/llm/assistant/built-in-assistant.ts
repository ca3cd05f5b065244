import { LipikError } from '../../../platform/errors.ts'
import type { LanguageModel, ReplyPiece, ReplyRequest } from '../../../speech/language-model.ts'
import { decideReply } from './decide-reply.ts'

/** Rules and no model, for a service without one: enough to greet, to call tools, to read their results, and to say what is missing. */
export function createBuiltInAssistant(now: () => Date = () => new Date()): LanguageModel {
  async function* reply(request: ReplyRequest, signal?: AbortSignal): AsyncGenerator<ReplyPiece> {
    const decision = decideReply(request, now())
    const words = decision.kind === 'say' ? decision.text.split(/(?<=\s)/u) : [JSON.stringify(decision.values)]
    const pieces = words.slice(0, Math.max(1, request.maxTokens ?? words.length))
    if (decision.kind === 'call') yield { kind: 'call', index: 0, name: decision.name }
    for (const text of pieces) {
      if (signal?.aborted) throw new LipikError('cancelled', 'the reply was broken off')
      yield decision.kind === 'say' ? { kind: 'text', text } : { kind: 'arguments', index: 0, text }
    }
    yield {
      kind: 'end',
      reason: pieces.length < words.length ? 'length' : 'complete',
      inputTokens: countOf(request),
      outputTokens: pieces.length,
    }
  }
  return { name: 'built-in', reply, async close() {} }
}

/** There are no tokens; words are the nearest thing. */
const countOf = ({ turns, instructions }: ReplyRequest): number =>
  [instructions, ...turns.map((turn) => ('text' in turn ? turn.text : ''))].join(' ').split(/\s+/).filter(Boolean)
    .length
