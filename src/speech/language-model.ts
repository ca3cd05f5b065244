import type { Language } from './language.ts'

/** A function the other side offers; `parameters` is a JSON Schema of an object. */
export type Tool = {
  readonly name: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** One entry of a conversation, oldest first. */
export type ConversationTurn =
  | { readonly by: 'system' | 'caller' | 'assistant'; readonly text: string }
  | { readonly by: 'call'; readonly callId: string; readonly name: string; readonly argumentsJson: string }
  | { readonly by: 'result'; readonly callId: string; readonly output: string }

export type ReplyRequest = {
  readonly instructions: string
  readonly turns: readonly ConversationTurn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string }
  /** What the caller spoke last, where that was heard. */
  readonly language?: Language
  readonly maxTokens?: number
  readonly temperature?: number
}

export type ReplyPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** Calls are numbered from 0 in the order they begin; a call's argument pieces follow its beginning and may interleave with others'. */
  | { readonly kind: 'call'; readonly index: number; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }
  | {
      readonly kind: 'end'
      readonly reason: 'complete' | 'length' | 'filtered'
      readonly inputTokens?: number
      readonly outputTokens?: number
    }

export interface LanguageModel {
  readonly name: string
  /** Streams one reply and ends with exactly one `end` piece; throws a `LipikError` when it cannot go on. Stops at once when aborted. */
  reply(request: ReplyRequest, signal?: AbortSignal): AsyncIterable<ReplyPiece>
  close(): Promise<void>
}
