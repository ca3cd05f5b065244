import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import { LipikError } from '../../platform/errors.ts'
import { hideReasoning } from '../../speech/hide-reasoning.ts'
import type { ReplyPiece, ReplyRequest } from '../../speech/language-model.ts'
import { readArguments } from './read-arguments.ts'

type End = Extract<ReplyPiece, { kind: 'end' }>
const REASONS: Readonly<Record<string, End['reason']>> = { length: 'length', content_filter: 'filtered' }

/**
 * One streamed reply. Text goes on as it comes; a call is held until it is whole, because half of its arguments are of no use to anybody
 * and models do write arguments that are no JSON.
 */
export class ChatReply {
  readonly #request: ReplyRequest
  readonly #reasoning = hideReasoning()
  readonly #calls = new Map<number, { name: string; written: string }>()
  #finish: string | undefined
  #usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | undefined

  constructor(request: ReplyRequest) {
    this.#request = request
  }

  *take({ choices, usage }: ChatCompletionChunk): Generator<ReplyPiece> {
    if (usage) this.#usage = usage
    // The last chunk, with the usage, has no choice; and servers differ in whether a delta is there at all.
    const [choice] = choices ?? []
    this.#finish = choice?.finish_reason ?? this.#finish
    yield* this.#say(this.#reasoning.push(choice?.delta?.content ?? ''))
    for (const { index = 0, function: part } of choice?.delta?.tool_calls ?? []) {
      const call = this.#calls.get(index) ?? { name: '', written: '' }
      this.#calls.set(index, { name: call.name || (part?.name ?? ''), written: call.written + (part?.arguments ?? '') })
    }
  }

  *end(): Generator<ReplyPiece> {
    if (this.#finish === undefined)
      throw new LipikError('unavailable', 'the language model server stopped in the middle')
    yield* this.#say(this.#reasoning.end())
    yield* this.#tellCalls()
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = this.#usage ?? {}
    yield {
      kind: 'end',
      reason: REASONS[this.#finish] ?? 'complete',
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    }
  }

  *#say(text: string): Generator<ReplyPiece> {
    if (text !== '') yield { kind: 'text', text }
  }

  *#tellCalls(): Generator<ReplyPiece> {
    const { tools, toolChoice } = this.#request
    if (toolChoice === 'none') return
    let index = 0
    for (const { name, written } of this.#calls.values()) {
      const text = readArguments(written)
      // Cut at the token limit: what is there of the call is not what was meant.
      if (this.#finish === 'length' && (text === undefined || !isWhole(written))) continue
      if (text === undefined || !tools.some((tool) => tool.name === name)) {
        throw new LipikError('engine_crashed', 'the language model made a call that nobody can answer')
      }
      yield { kind: 'call', index, name }
      yield { kind: 'arguments', index, text }
      index++
    }
  }
}

function isWhole(written: string): boolean {
  try {
    JSON.parse(written)
    return true
  } catch {
    return false
  }
}
